// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { addDays, type CalendarDate } from '../../../../domain/common/dates.ts'
import { usStates } from '../../../../domain/common/us-states.ts'
import { dates, makeBooking } from '../../../../testing/build-application.ts'
import {
  appOfFile,
  fill,
  isAt,
  onCall,
  openScreen,
  press,
  recordInputs,
  refusal,
  says,
} from '../../../../testing/component.tsx'

const site = appOfFile()
const startDate = 'Desired lease start date'
const endDate = 'Desired lease end date'
/** The date this many days from today at the property. */
const day = (fromToday: number) => addDays('2026-03-04' as CalendarDate, fromToday)

async function openForm() {
  const tenant = await site.app.makeTenant()
  const opened = await openScreen(site.app, '/application', tenant)
  await screen.findByRole('button', { name: 'Submit Application' })
  return { ...opened, tenant }
}

const field = (label: string, inside = within(screen.getByRole('main'))) =>
  inside.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`))
const guest = (number: number) => within(screen.getByRole('group', { name: `Guest ${number}` }))
const submit = () => press('Submit Application')

/** Expects this error message below a field. */
const expectError = (control: HTMLElement, message: string) =>
  waitFor(() => {
    expect(control.getAttribute('aria-invalid')).toBe('true')
    const ids = control.getAttribute('aria-describedby')?.split(' ') ?? []
    expect(ids.map(id => document.getElementById(id)?.textContent).join(' ')).toContain(message)
  })
const expectValid = (control: HTMLElement) =>
  waitFor(() => expect(control.hasAttribute('aria-invalid')).toBe(false))

const address = {
  Phone: '(850) 555-0142',
  'Street address': '12 Pine Street',
  City: 'Mobile',
  'ZIP code': '36602',
}

function fillValid(start = day(40), end = day(70)) {
  fill({ [startDate]: start, [endDate]: end, ...address }, within(screen.getByRole('main')))
  fill({ State: 'AL' })
}

test('the form has its fields, and an empty form shows the missing fields and sends nothing [FORM-01, FORM-02, FORM-07, FORM-08, FORM-09, FORM-28]', async () => {
  await openForm()
  const names = within(screen.getByRole('region', { name: 'About you' }))
  fill({ 'First name': '', 'Last name': '  ' }, names)
  const options = within(field('State')).getAllByRole<HTMLOptionElement>('option')
  expect(options.map(({ value }) => value)).toEqual(['', ...Object.keys(usStates)])
  const sent = recordInputs('applications.createAndSubmit')
  await submit()
  await says('Please fix the errors before submitting')
  for (const [label, message] of Object.entries({
    [startDate]: 'Please select your desired lease start date',
    [endDate]: 'Please select your desired lease end date',
    'Street address': 'Street address is required',
    City: 'City is required',
    State: 'State is required',
    'ZIP code': 'ZIP code is required',
    Phone: 'Phone number is required',
  })) {
    expect(field(label).getAttribute('aria-required')).toBe('true')
    await expectError(field(label), message)
  }
  await expectError(field('First name', names), 'First name is required')
  await expectError(field('Last name', names), 'Last name is required')
  expect(document.activeElement).toBe(field(startDate))
  await expectValid(field("Co-applicant's first name"))
  await expectValid(field("Co-applicant's last name"))
  expect(sent).toEqual([])
})

test('an invalid phone or ZIP and incomplete names each show a message [FORM-17, FORM-18, FORM-23, FORM-24, FORM-25, FORM-26]', async () => {
  await openForm()
  fillValid()
  fill({ Phone: '0850 555 0142', 'ZIP code': '36602-12', "Co-applicant's first name": 'Noah' })
  await press('Add guest')
  fill({ 'First name': 'Lina' }, guest(1))
  await press('Add guest')
  fill({ 'Last name': 'Lina' }, guest(2))
  await submit()
  await expectError(field('Phone'), 'Please enter a valid phone number')
  await expectError(field('ZIP code'), 'Please enter a valid ZIP code')
  await expectError(field("Co-applicant's last name"), 'Last name is required for second applicant')
  await expectError(field('Last name', guest(1)), 'Last name is required for additional guest')
  await expectError(field('First name', guest(2)), 'First name is required for additional guest')

  fill({ Phone: '+1 850-555-0142', 'ZIP code': '36602-1234', "Co-applicant's first name": '' })
  fill({ "Co-applicant's last name": 'Rivers' })
  await expectValid(field('Phone'))
  await expectValid(field('ZIP code'))
  await expectError(field("Co-applicant's first name"), 'First name is required for second applicant')
})

test('the date fields reject past dates and reversed ranges, and limit each other [FORM-19, FORM-20, FORM-21, FORM-22]', async () => {
  await openForm()
  await waitFor(() => expect(field(startDate).min).toBe(day(0)))
  fill({ [startDate]: day(20) })
  await waitFor(() => expect(field(endDate).min).toBe(day(20)))
  fill({ [endDate]: day(30) })
  fill({ [startDate]: day(29) })
  expect(field(endDate).value).toBe(day(30))
  fill({ [startDate]: day(30) })
  await waitFor(() => expect(field(endDate).value).toBe(''))
  fill({ [endDate]: day(30) })
  await submit()
  await expectError(field(endDate), 'End date must be after start date')
  fill({ [endDate]: day(31) })
  await expectValid(field(endDate))
  fillValid(day(-3), day(31))
  await submit()
  await expectError(field(startDate), 'The start date cannot be in the past')
})

test('guests can be added and removed, are adults by default, and are limited to what the condo sleeps [FORM-03, FORM-04, FORM-37, FIX-17]', async () => {
  await openForm()
  fillValid(day(100), day(130))
  const sent = recordInputs('applications.createAndSubmit')
  const guests = within(screen.getByRole('region', { name: 'Additional guests' }))
  const full = 'The condo sleeps 4, so no more guests can be added.'
  const add = screen.getByRole<HTMLButtonElement>('button', { name: 'Add guest' })
  for (const [index, name] of ['Lina', 'Ben', 'Ana'].entries()) {
    expect(guests.queryByText(full)).toBeNull()
    await press('Add guest')
    await waitFor(() => expect(document.activeElement).toBe(field('First name', guest(index + 1))))
    expect(field('Adult', guest(index + 1)).checked).toBe(true)
    fill({ 'First name': name, 'Last name': 'Lee' }, guest(index + 1))
  }
  await guests.findByText(full)
  expect(add.disabled).toBe(true)
  fill({ "Co-applicant's first name": 'Noah', "Co-applicant's last name": 'Lee' })
  await guests.findByText('You have named 5 people, applicants included.', { exact: false })
  await submit()
  expect((await guests.findByRole('alert')).textContent).toBe(
    'The condo sleeps 4 people, applicants included',
  )
  expect(sent).toEqual([])
  await press('Remove guest 2')
  await waitFor(() => expect(guests.queryByRole('alert')).toBeNull())
  await guests.findByText(full)
  fill({ "Co-applicant's first name": '', "Co-applicant's last name": '' })
  await waitFor(() => expect(guests.queryByText(full)).toBeNull())
  await press('Remove guest 2')
  await waitFor(() => expect(document.activeElement).toBe(add))
  await press('Add guest')
  fill({ 'First name': 'Ana', 'Last name': 'Lee' }, guest(2))
  expect(screen.queryByRole('group', { name: 'Guest 3' })).toBeNull()
  await submit()
  await isAt('/dashboard')
  expect(sent).toHaveLength(1)
})

test('a complete application is sent once, with exactly what was entered, and the dashboard says when we answer [FORM-06, FORM-27, FORM-29, FORM-30, LOOK-79]', async () => {
  const { user, tenant } = await openForm()
  fillValid(day(140), day(170))
  fill({ "Co-applicant's first name": 'Noah', "Co-applicant's last name": 'Rivers' })
  for (let added = 0; added < 3; added++) {
    const add = screen.getByRole<HTMLButtonElement>('button', { name: 'Add guest' })
    if (!add.disabled) await user.click(add)
  }
  fill({ 'First name': 'Lina', 'Last name': 'Rivers' }, guest(1))
  await user.click(field('Adult', guest(1)))
  await says('Nothing is charged now.')
  fill({ 'Anything we should know': ' We arrive\nlate. ' })
  const sent = recordInputs('applications.createAndSubmit')
  await user.dblClick(screen.getByRole('button', { name: 'Submit Application' }))
  await says('Application submitted successfully!')
  await isAt('/dashboard')
  expect(sent).toHaveLength(1)
  const { requestId, ...application } = sent[0] as { requestId: string }
  expect(requestId).toMatch(/^[\da-f-]{36}$/)
  const stay = dates(day(140), day(170))
  expect(application).toEqual({
    firstName: 'Maya',
    lastName: 'Rivers',
    secondApplicantFirstName: 'Noah',
    secondApplicantLastName: 'Rivers',
    phone: '(850) 555-0142',
    address: { street: '12 Pine Street', city: 'Mobile', state: 'AL', zipCode: '36602' },
    ...stay,
    additionalGuests: [{ firstName: 'Lina', lastName: 'Rivers', isAdult: false }],
    guestNote: 'We arrive\nlate.',
  })
  await says('Sent. We answer by Friday.Nothing is charged now.')
  // Said once: the list below does not repeat it.
  expect(document.body.textContent?.match(/We answer by/g)).toHaveLength(1)
  const { applications } = await site.app.as(tenant).applications.status()
  expect(applications).toMatchObject([{ status: 'pending', guestNote: 'We arrive\nlate.', ...stay }])
})

test('Cancel goes back and sends nothing [FORM-05]', async () => {
  const { tenant } = await openForm()
  fillValid()
  const sent = recordInputs('applications.createAndSubmit')
  await press('Cancel')
  await isAt('/dashboard')
  await says('Ready to Get Started?')
  expect(sent).toEqual([])
  await openScreen(site.app, '/application', tenant)
  await screen.findByRole('button', { name: 'Submit Application' })
  expect(field('Phone').value).toBe('')
})

test('nights that another tenant has booked since show an error at their field, once, and nothing is stored [FORM-31, FORM-32, FORM-36, LOOK-77]', async () => {
  const { tenant } = await openForm()
  fillValid(day(180), day(210))
  await makeBooking(
    site.app,
    await site.app.makeTenant(),
    await site.app.makeAdmin(),
    dates(day(180), day(210)),
  )
  await submit()
  await says('Failed to create application')
  await expectError(field(startDate), 'These dates are no longer available:')
  for (const text of ['Failed to create application', 'These dates are no longer available:'])
    expect(document.body.textContent?.split(text)).toHaveLength(2)
  expect(document.activeElement).toBe(field(startDate))
  expect([field(startDate).value, field('Street address').value]).toEqual([day(180), '12 Pine Street'])
  expect((await site.app.as(tenant).applications.status()).applications).toEqual([])
  fill({ [startDate]: day(220), [endDate]: day(250) })
  await submit()
  await isAt('/dashboard')
})

test('a submission without a response is reported, and a retry creates only one application [FORM-34, TOAST-08]', async () => {
  const { tenant } = await openForm()
  fillValid(day(260), day(290))
  // The server processes the request, but the response never arrives.
  onCall('applications.createAndSubmit', async send => {
    await send()
    throw new TypeError('Failed to fetch')
  })
  await submit()
  await says('Failed to submit application. Please try again.')
  onCall('applications.createAndSubmit', send => send())
  await openScreen(site.app, '/application', tenant)
  await says('We kept what you entered')
  await submit()
  await isAt('/dashboard')
  expect((await site.app.as(tenant).applications.status()).applications).toHaveLength(1)
})

test('a server error shows only the default message, and keeps the values [TOAST-07]', async () => {
  await openForm()
  fillValid()
  onCall('applications.createAndSubmit', () => refusal({ status: 500, message: 'no such table' }))
  await submit()
  await says('Failed to create application')
  expect(document.body.textContent).not.toContain('no such table')
  onCall('applications.createAndSubmit', () =>
    refusal({ status: 403, message: 'Only the tenant can do this.' }),
  )
  await submit()
  await says('Only the tenant can do this.')
  expect(field('City').value).toBe('Mobile')
})

test('a reload keeps the input, but only for the same tenant and tab', async () => {
  const { tenant } = await openForm()
  fill({ Phone: '850 555 0142' }, within(screen.getByRole('main')))
  await press('Add guest')
  fill({ 'First name': 'Lina' }, guest(1))
  await openScreen(site.app, '/application', tenant)
  await says('We kept what you entered')
  expect(field('Phone').value).toBe('850 555 0142')
  expect(field('First name', guest(1)).value).toBe('Lina')

  await openForm()
  expect(field('Phone').value).toBe('')
  expect(screen.queryByRole('group', { name: 'Guest 1' })).toBeNull()
  const kept = () => sessionStorage.getItem('applicationDraft')
  expect(kept()).toBeNull()
  fill({ Phone: '850 555 0143' }, within(screen.getByRole('main')))
  await waitFor(() => expect(kept()).toContain('850 555 0143'))
  await press('Logout')
  await isAt('/')
  expect(kept()).toBeNull()
})

test('dates from the home page are filled in with an estimate, and Start over clears them', async () => {
  const [start, end] = [day(300), day(302)]
  await site.app.as(await site.app.makeAdmin()).rates.create({
    period: 'Quiet days',
    startDate: start,
    endDate: end,
    monthly: 3000,
    weekly: null,
    minStay: null,
    nightly: 150,
    weekendNight: 150,
  })
  sessionStorage.setItem('stay', JSON.stringify({ start, end }))
  const { tenant } = await openForm()
  expect([field(startDate).value, field(endDate).value]).toEqual([start, end])
  const estimate = await screen.findByRole('region', { name: 'Estimate' })
  await within(estimate).findByText(/2 nights, Quiet days/)
  expect(estimate.textContent).toContain('$300.00')
  expect(estimate.textContent).toContain('Your lease sets the final amount.')
  fill({ [endDate]: day(700) })
  await openScreen(site.app, '/application', tenant)
  await screen.findByRole('button', { name: 'Start over' })
  expect(field(endDate).value).toBe(day(700))
  await press('Start over')
  await waitFor(() => expect(field(startDate).value).toBe(''))
  expect(document.body.textContent).not.toContain('We kept what you entered')
})
