// @vitest-environment dom
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, expect, test, vi } from 'vitest'
import { staySection } from '../../../domain/arrival/stay-settings.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { noBreak } from '../../../domain/common/no-break.ts'
import { makeLease, signLease } from '../../../testing/build-lease.ts'
import {
  appOfFile,
  changeAnswer,
  fill,
  onCall,
  openScreen,
  press,
  refusal,
  says,
} from '../../../testing/component.tsx'

const site = appOfFile()
const made: { lease?: Awaited<ReturnType<typeof makeLease>> } = {}
const lease = () => made.lease as Awaited<ReturnType<typeof makeLease>>
const main = () => screen.getByRole('main').textContent ?? ''

beforeAll(async () => {
  const { app } = site
  made.lease = await makeLease(app)
  const { admin, id, tenant } = made.lease
  const owner = app.as(admin)
  await owner.settings.stay.save({ version: 0, body: { ...staySection.body.parse({}), enabled: true } })
  const save = (section: string, body: object, more = {}) =>
    owner.stays.saveSection({ section, version: 0, body, ...more })
  const lock = { id: 'gate', name: 'Beach gate', kind: 'standing', digits: 4, hint: 'On the left' }
  await save('entry', { text: '', locks: [lock] })
  await owner.stays.changeCode({ lockId: 'gate', code: '73A9' })
  await save('wifi', { network: 'Seabreeze' }, { password: 'sea-and-sand' })
  await save('checkout', { items: ['Close the windows'] })
  await save('contacts', { people: [{ name: 'Ben', role: 'Host', phone: '850-555-0100' }] })
  await signLease(app, tenant, id)
})

test('before it opens, the card of the application leads to what is missing and whom to call [STAY-09, STAY-30]', async () => {
  const { id, tenant } = lease()
  await openScreen(site.app, `/application/${id}`, tenant)
  await says('Opens after payment')
  await openScreen(site.app, `/stay/${id}`, tenant)
  const deposit = await screen.findByRole('link', { name: 'Pay the deposit of $500.00' })
  expect(deposit.getAttribute('href')).toBe(`/payment?applicationId=${id}`)
  expect(main()).toContain('Check-in from Jun 1, 2026, 4:00 PM')
  expect(screen.getByRole('link', { name: '850-555-0100' }).getAttribute('href')).toBe('tel:8505550100')
  expect(main()).not.toMatch(/Beach gate|Seabreeze|Show/)
  onCall('stays.get', () => refusal({ status: 500 }))
  await openScreen(site.app, `/stay/${id}`, tenant)
  await screen.findByText('Failed to load your stay', undefined, { timeout: 8_000 })
})

test('an open stay shows code and Wi-Fi by a press, for a minute or until the code changes; ticks stay [STAY-19, STAY-20, STAY-29]', async () => {
  const { admin, id, tenant } = lease()
  await site.app.as(admin).stays.hold({ applicationId: id, hold: 'open', reason: 'Early guest' })
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    shouldAdvanceTime: true,
  })
  await openScreen(site.app, `/stay/${id}`, tenant)
  await screen.findByRole('button', { name: 'Show code' })
  const parts = () =>
    within(screen.getByRole('main'))
      .getAllByRole('heading', { level: 2 })
      .map(({ textContent }) => textContent)
  expect(parts().slice(0, 5)).toEqual([
    'Getting here',
    'Getting in',
    'Before you leave',
    'Contacts',
    'Share with your group',
  ])
  await press('Show code')
  await says('73A9')
  await press('Show Wi-Fi')
  await says('sea-and-sand')
  expect(screen.getByAltText('QR code that joins the Wi-Fi')).toBeTruthy()
  expect(screen.getAllByRole('button', { name: 'Copy' })).toHaveLength(2)
  await says('Scan to join')
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(main()).not.toMatch(/73A9|sea-and-sand/)
  await press('Show code')
  await says('73A9')
  changeAnswer('stays.get', ({ stay }) => Object.assign(stay as object, { codesVersion: 99 }))
  await act(() => vi.advanceTimersByTimeAsync(31_000))
  await waitFor(() => expect(main()).not.toContain('73A9'))
  vi.useRealTimers()
  screen.getByRole('checkbox', { name: 'Close the windows' }).click()
  const stored = { ...localStorage }
  await openScreen(site.app, `/stay/${id}`, tenant)
  Object.assign(localStorage, stored)
  expect(await screen.findByRole('checkbox', { name: 'Close the windows', checked: true })).toBeTruthy()
  changeAnswer('stays.get', ({ stay }) => Object.assign(stay as object, { startDate: '2026-01-01' }))
  await openScreen(site.app, `/stay/${id}`, tenant)
  await says('you are here until')
  expect(parts().slice(0, 2)).toEqual(['Getting in', 'Getting here'])
  // The owner lets the guest stay for longer.
  changeAnswer('stays.get', ({ stay }) =>
    Object.assign(stay as object, {
      startDate: '2026-01-01',
      endDate: '2026-03-01',
      checkOutAt: '2026-03-06T15:00:00.000Z',
    }),
  )
  await openScreen(site.app, `/stay/${id}`, tenant)
  await says('you are here until Mar 6, 2026')
})

test('a tenant shares the page by a link that is shown once; without codes it says whom to ask, and ends with its removal [STAY-26, STAY-27]', async () => {
  const { admin, id, tenant } = lease()
  const owner = site.app.as(admin)
  await owner.stays.hold({ applicationId: id, hold: 'open', reason: 'Early guest' })
  const { body, version } = await owner.settings.stay.get()
  await owner.settings.stay.save({ version, body: { ...body, guestCodes: true } })
  const share = async (name: string, withCode: boolean) => {
    fill({ 'Who is it for?': name })
    if (withCode) screen.getByRole('checkbox', { name: 'May see the codes and the Wi-Fi' }).click()
    await press('Make a link')
    await screen.findByText(name)
    await says('Send this link yourself. It is shown only now.')
    return new URL(/http\S+\/stay#[\w-]{43}/.exec(main())?.[0] ?? '')
  }
  await openScreen(site.app, `/stay/${id}`, tenant)
  await press('Make a link')
  await says('Please enter a name')
  const without = await share('Bob', false)
  await says('Without codes, not opened yet')
  await openScreen(site.app, `/stay/${id}`, tenant)
  await screen.findByText('Bob')
  expect(main()).not.toContain('/stay#')
  const withCodes = await share('Cara', true)

  await openScreen(site.app, `/stay${without.hash}`)
  await screen.findAllByText('Please ask the person who booked for the code.')
  expect(main()).toContain('Bob, ')
  expect(main()).not.toMatch(/Show code|Show Wi-Fi|Share with your group|Maya|Rivers/)
  await openScreen(site.app, `/stay${withCodes.hash}`)
  await press('Show code')
  await says('73A9')
  await press('Show Wi-Fi')
  await says('sea-and-sand')

  await openScreen(site.app, `/stay/${id}`, tenant)
  await press('Remove the link of Cara')
  await says('Link removed')
  await openScreen(site.app, `/stay${withCodes.hash}`)
  await says('This link is no longer valid')
  await says('Please ask the person who booked for another one, or write to us.')
  await owner.stays.hold({ applicationId: id, hold: null })
  await openScreen(site.app, `/stay${without.hash}`)
  await says('Not open yet.')
  expect(main()).not.toContain('500')
})

test('the owner fills in a part, and closes and opens a stay with a reason [STAY-03, STAY-10]', async () => {
  const { admin, id } = lease()
  await openScreen(site.app, '/admin/arrival', admin)
  const summary = await screen.findByText('Parking')
  summary.click()
  const parking = summary.closest('details') as HTMLElement
  fill({ Text: 'Space 714' }, {
    getByLabelText: (_label: RegExp) => parking.querySelector('textarea'),
  } as never)
  parking.querySelector<HTMLButtonElement>('button[type=submit]')?.click()
  await says('Arrival saved')
  expect((await site.app.as(admin).stays.arrival()).sections.parking?.body).toMatchObject({
    text: 'Space 714',
  })
  await site.app.as(admin).stays.hold({ applicationId: id, hold: 'open', reason: 'Early guest' })
  await openScreen(site.app, `/admin/arrival/${id}`, admin)
  await press('Back to automatic')
  const question = within(await screen.findByRole('alertdialog'))
  question.getByText('Missing: Deposit of $500.00; $2,500.00. Until it is there, the guest sees no codes.')
  await press('Back to automatic', question)
  await says('Automatic again: Opens after payment')
  await press('Open Now')
  fill({ Reason: 'Paid in cash' })
  screen.getAllByRole('button', { name: 'Open Now' }).at(-1)?.click()
  await says('Opened for this guest')
  await says('Opened by you, ')
  await says('Paid in cash')
  changeAnswer('stays.adminGet', ({ stay }) => Object.assign(stay as object, { startDate: '2026-03-01' }))
  await openScreen(site.app, `/admin/arrival/${id}`, admin)
  await press('Open longer')
  const held = () => site.app.as(admin).stays.adminGet({ applicationId: id })
  const { endDate } = (await held()).stay
  const after = addDays(endDate, 2)
  const openLonger = () => screen.getAllByRole('button', { name: 'Open longer' }).at(-1)?.click()
  const until = () => screen.getByLabelText<HTMLInputElement>(/^Open until/)
  expect([until().min, until().max]).toEqual([addDays(endDate, 1), addDays(endDate, 7)])
  openLonger()
  await says('Please choose a day')
  await says('Please enter a reason')
  // What the server refuses stands at its field, and nowhere else.
  fill({ Reason: 'Storm', 'Open until': addDays(endDate, 8) })
  openLonger()
  await screen.findByText('Please choose a day from Jul 2, 2026 to Jul 8, 2026')
  await says('Failed to change the stay')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(until().getAttribute('aria-invalid')).toBe('true')
  await waitFor(() => expect(document.activeElement).toBe(until()))
  fill({ 'Open until': after })
  openLonger()
  await says('Storm')
  expect(main()).toContain(`May stay untilJul 3, 2026, 10:00 AM EDT ${noBreak('(booked until Jul 1, 2026)')}`)
  expect((await held()).hold?.until).toContain(after)
  // Changing the day keeps the former reason.
  await press('Choose another day')
  expect(until().value).toBe(after)
  fill({ 'Open until': addDays(endDate, 1) })
  await press('Save')
  await says('May stay untilJul 2, 2026')
  expect((await held()).hold).toMatchObject({ reason: 'Storm', until: expect.stringContaining('2026-07-02') })
  await press('Show code')
  await says('73A9')
})
