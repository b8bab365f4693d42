// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { BookingRulesValues } from '../../../../domain/bookings/booking-rules-form.ts'
import { makePending } from '../../../../testing/build-application.ts'
import { buildRate } from '../../../../testing/build-rate.ts'
import {
  appOfFile,
  fill,
  noAnswer,
  onCall,
  openScreen,
  press,
  recordInputs,
  refusal,
  says,
} from '../../../../testing/component.tsx'

const site = appOfFile()
async function setRules(body: BookingRulesValues) {
  const { settings: setup } = site.app.as(await site.app.makeAdmin())
  const { version } = await setup.bookingRules.get()
  return setup.bookingRules.save({ version, body })
}
afterEach(() => setRules({}))

const card = (name = 'Booking rules') => screen.getByRole('region', { name })
/** The card is another element once it is loaded. */
const edit = async () => (await waitFor(() => within(card()).getByRole('button', { name: /^Edit/ }))).click()
const field = (label: string, inside = card()) =>
  within(inside).getByLabelText<HTMLInputElement>(new RegExp(`^${label}`))
const description = (control: HTMLElement) =>
  (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map(id => document.getElementById(id)?.textContent)
    .join(' ')
const expectDescription = (control: () => HTMLElement, text: string) =>
  waitFor(() => expect(description(control())).toContain(text))

test('without a limit of its own a stay takes as many guests as the condo sleeps [RULE-01]', async () => {
  await openScreen(site.app, '/admin/rates/stay-rules', await site.app.makeAdmin())
  await waitFor(() => expect(card().textContent).toContain('Maximum guestsAs many as the condo sleeps'))
})

test('rules that somebody else has saved are reported and can be loaded [RULE-02]', async () => {
  const admin = await site.app.makeAdmin()
  await openScreen(site.app, '/admin/rates/stay-rules', admin)
  await edit()
  await waitFor(() => field('Maximum guests'))
  fill({ 'Maximum guests': '3' }, within(card()))
  await setRules({ leadDays: 14 })
  await press('Save', within(card()))
  const notice = within(await within(card()).findByRole('alert'))
  notice.getByText(/These settings were changed/)
  expect(field('Maximum guests').value).toBe('3')
  await press('Load saved settings', notice)
  await waitFor(() => expect(field('Maximum guests').value).toBe(''))
  expect(field('Days of notice').value).toBe('14')
  fill({ 'Maximum guests': '3' }, within(card()))
  await press('Save', within(card()))
  await says('Booking rules saved')
  const { body } = await site.app.as(admin).settings.bookingRules.get()
  expect(body).toMatchObject({ leadDays: 14, maxGuests: 3 })
})

test('the form shows the saved booking rules, checks them and saves them [RULE-01, RULE-02]', async () => {
  const admin = await site.app.makeAdmin()
  const { user } = await openScreen(site.app, '/admin/rates/stay-rules', admin)
  await waitFor(() => expect(card().textContent).toContain('Arrival daysAny day'))
  await edit()
  await waitFor(() => expect(document.activeElement).toBe(field('Days of notice')))
  for (const label of ['Days of notice', 'Days ahead', 'Maximum guests']) expect(field(label).value).toBe('')
  const boxes = within(card()).getAllByRole<HTMLInputElement>('checkbox')
  expect(boxes.filter(box => box.checked)).toEqual([])
  fill({ 'Days of notice': '30', 'Days ahead': '20', 'Maximum guests': '5' }, within(card()))
  await press('Save', within(card()))
  await expectDescription(() => field('Maximum guests'), 'whole number from 1 to 4')
  fill({ 'Maximum guests': '2' }, within(card()))
  await press('Save', within(card()))
  await expectDescription(() => field('Days ahead'), 'cannot be less than the days of notice')
  fill({ 'Days ahead': '365' }, within(card()))
  for (const name of ['Saturday', 'Friday', 'Monday', 'Monday']) await user.click(field(name))
  const siteFacts = recordInputs('site.get')
  await press('Save', within(card()))
  await says('Booking rules saved')
  // The public site data, which include the rules, are reloaded.
  await waitFor(() => expect(siteFacts).toHaveLength(1))
  const body = { stayLength: false, leadDays: 30, windowDays: 365, arrivalWeekdays: [5, 6], maxGuests: 2 }
  expect((await site.app.as(admin).settings.bookingRules.get()).body).toEqual(body)
  expect(card().textContent).toContain('Arrival daysFriday and Saturday')
})

test('a failed load can be retried, and a failed save keeps the input', async () => {
  onCall('settings.bookingRules.get', () => refusal({ status: 500 }))
  await openScreen(site.app, '/admin/rates/stay-rules', await site.app.makeAdmin())
  await says('Failed to load booking rules')
  onCall('settings.bookingRules.get', send => send())
  await press('Try Again', within(card()))
  await edit()
  await waitFor(() => field('Days of notice'))
  fill({ 'Days of notice': '9' }, within(card()))
  onCall('settings.bookingRules.save', noAnswer)
  await press('Save', within(card()))
  await within(card()).findByText('Failed to save booking rules')
  expect(field('Days of notice').value).toBe('9')
})

test('the application form shows each broken rule at its field before anything is sent [RULE-12]', async () => {
  const admin = await site.app.makeAdmin()
  const season = buildRate({ period: 'Season', startDate: '2026-03-04', endDate: '2026-09-20', minStay: 7 })
  await site.app.as(admin).rates.create(season)
  await setRules({ stayLength: true, leadDays: 30, windowDays: 90, arrivalWeekdays: [6], maxGuests: 1 })
  await openScreen(site.app, '/application', await site.app.makeTenant())
  await screen.findByRole('button', { name: 'Submit Application' })
  const main = screen.getByRole('main')
  const arrival = () => field('Desired lease start date', main)
  fill({ 'Desired lease start date': '2026-03-14' })
  await expectDescription(arrival, 'Please choose an arrival on Apr 3, 2026 or later.')
  fill({ 'Desired lease start date': '2026-04-19' })
  await expectDescription(arrival, 'Arrivals are possible on Saturday.')
  fill({ 'Desired lease start date': '2026-04-18' })
  await waitFor(() => expect(arrival().hasAttribute('aria-invalid')).toBe(false))
  fill({ 'Desired lease end date': '2026-04-21' })
  await expectDescription(
    () => field('Desired lease end date', main),
    'The minimum stay in Season is 7 nights.',
  )
  await says('At most 1 guest can stay, so no more guests can be added.')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add guest' }).disabled).toBe(true)
  fill({ "Co-applicant's first name": 'Noah', "Co-applicant's last name": 'Rivers' })
  await says('You have named 2 people, applicants included.')
  const sent = recordInputs('applications.createAndSubmit')
  await press('Submit Application')
  await says('Please fix the errors before submitting')
  await screen.findByText('At most 1 guest can stay.')
  expect(sent).toEqual([])
})

test('approving a stay that breaks the rules only shows a note [RULE-11]', async () => {
  const { id } = await makePending(site.app, await site.app.makeTenant())
  await setRules({ leadDays: 300 })
  await openScreen(site.app, `/admin/application/${id}`, await site.app.makeAdmin())
  await press('Approve')
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('This stay breaks your booking rules')
  await says('Please choose an arrival on Dec 29, 2026 or later.')
  await press('Approve', dialog)
  await says('Application status updated')
})
