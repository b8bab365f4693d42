// @vitest-environment dom
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { ApplicationFormValues } from '../../../../domain/bookings/application-form.ts'
import { addDays, type CalendarDate } from '../../../../domain/common/dates.ts'
import { buildApplication, dates, makeBooking } from '../../../../testing/build-application.ts'
import { makeLease, signLease } from '../../../../testing/build-lease.ts'
import { buildManualPayment } from '../../../../testing/build-payment.ts'
import {
  appOfFile,
  changeAnswer,
  fill,
  isAt,
  noAnswer,
  onCall,
  openScreen,
  press,
  recordInputs,
  refusal,
  says,
} from '../../../../testing/component.tsx'

const site = appOfFile()
let nextDay = 200
/** Dates that no other test of this file uses. */
function freeStay() {
  nextDay += 40
  const day = (offset: number) => addDays('2026-03-04' as CalendarDate, nextDay + offset)
  return dates(day(0), day(30))
}

async function makeApplication(isSubmitted = true, values: Partial<ApplicationFormValues> = {}) {
  const tenant = await site.app.makeTenant()
  const form = buildApplication({ ...freeStay(), ...values })
  const { id } = (await site.app.as(tenant).applications.create(form)).application
  if (isSubmitted) await site.app.as(tenant).applications.submit({ id })
  return { tenant, id }
}

async function openApplication(isSubmitted = true, values: Partial<ApplicationFormValues> = {}) {
  const made = await makeApplication(isSubmitted, values)
  const opened = await openScreen(site.app, `/application/${made.id}`, made.tenant)
  await screen.findByRole('region', { name: 'Personal Information' })
  return { ...made, ...opened }
}

const region = (name: string) => screen.getByRole('region', { name })
const personal = () => region('Personal Information')
const progress = () => region('Application Progress')
const lead = () => region('Next step')
const toasts = () => screen.getByLabelText('Notifications').textContent
const edit = async () => {
  await press('Edit')
  await screen.findByRole('button', { name: 'Save' })
}
const value = (label: string) =>
  within(personal()).getByLabelText<HTMLInputElement>(new RegExp(`^${label}`)).value
const shows = (element: () => HTMLElement, text: string) =>
  waitFor(() => expect(element().textContent).toContain(text))

const booked = { status: 'approved', leaseGenerated: true }
const states: {
  as: Record<string, unknown>
  label: string
  percent?: string
  next?: string
  banner?: string
}[] = [
  { as: { status: 'draft', submittedAt: null }, label: 'Draft', percent: '0%' },
  { as: { status: 'pending' }, label: 'Submitted', percent: '17%', next: 'Application Approved' },
  { as: { status: 'approved' }, label: 'Approved', percent: '33%', next: 'Lease Generated' },
  { as: booked, label: 'Approved', percent: '50%', next: 'Lease Uploaded' },
  { as: { ...booked, leaseSigned: true }, label: 'Approved', percent: '67%', next: 'Payment Made' },
  {
    as: { ...booked, leaseSigned: true, paymentReceived: true },
    label: 'Approved',
    percent: '83%',
    next: 'Admin Verification',
    banner: 'Pending Admin Verification',
  },
  {
    as: { ...booked, status: 'completed', leaseSigned: true, paymentReceived: true },
    label: 'Complete',
    percent: '100%',
    banner: 'Booking Complete',
  },
  {
    as: { status: 'completed' },
    label: 'Complete',
    percent: '50%',
    next: 'Lease Generated',
    banner: 'Booking Complete',
  },
  { as: { status: 'archived' }, label: 'Unknown', percent: '0%' },
  { as: { status: 'rejected' }, label: 'Declined' },
]

test.each(states)(
  '$label ($percent) has its badge, its progress steps and exactly one next step [CHECK-08, CHECK-09, CHECK-10, CHECK-11, CHECK-12, LOOK-47]',
  async ({ as, label, percent, next, banner }) => {
    changeAnswer('applications.get', data => {
      const none = { leaseGenerated: false, leaseSigned: false, paymentReceived: false }
      data.application = { ...(data.application as object), ...none, ...as }
    })
    if (next === 'Payment Made')
      changeAnswer('charges.list', data => {
        data.summary = { ...(data.summary as object), balanceCents: 3000_00 }
      })
    await openApplication()
    const header = region('Application Status').querySelector('header')
    expect(header?.textContent).toContain(label)
    if (percent === undefined) {
      expect(lead().textContent).toBe(
        'We are sorry that we could not accept this application.New Application',
      )
      expect(screen.getAllByRole('link', { name: 'New Application' })).toHaveLength(1)
      expect(screen.queryByRole('region', { name: 'Application Progress' })).toBeNull()
      return
    }
    expect(progress().textContent).toContain(percent)
    const marked = within(progress())
      .getAllByRole('listitem')
      .filter(item => item.textContent?.includes('Next'))
    expect(marked).toHaveLength(next ? 1 : 0)
    expect(marked[0]?.textContent ?? '').toContain(next ?? '')
    const leading = screen.queryByRole('region', { name: 'Next step' })
    const offers = (role: string, name: string) =>
      leading ? within(leading).queryAllByRole(role, { name }).length : 0
    expect(offers('button', 'Sign Lease')).toBe(next === 'Lease Uploaded' ? 1 : 0)
    expect(offers('link', 'Pay now')).toBe(next === 'Payment Made' ? 1 : 0)
    for (const text of ['Pending Admin Verification', 'Booking Complete'])
      expect(within(progress()).queryAllByText(text)).toHaveLength(banner === text ? 1 : 0)
  },
)

test.each([
  ['2031-05-31', 'Your stay is bookedEverything is settled. We look forward to your stay.'],
  ['2031-06-30', 'You are here until Jun 30Everything is settled. Enjoy your stay.'],
  ['2031-07-01', 'Your stay is overThank you for being our guest.New Application'],
])(
  'on %s a complete booking of June leads with: %s; its checklist is folded [LOOK-05, LOOK-63]',
  async (today, words) => {
    changeAnswer('site.get', data => {
      data.site = { ...(data.site as object), today }
    })
    changeAnswer('applications.get', data => {
      const settled = { status: 'completed', leaseGenerated: true, leaseSigned: true, paymentReceived: true }
      const stay = { leaseStartDate: '2031-06-01', leaseEndDate: '2031-06-30' }
      data.application = { ...(data.application as object), ...settled, ...stay }
    })
    await openApplication()
    await waitFor(() => expect(lead().textContent).toBe(words))
    expect(screen.getAllByRole('link', { name: 'New Application' })).toHaveLength(1)
    expect(within(progress()).getByRole('status').textContent).toBe('Booking Complete')
    expect(progress().querySelector('details')?.open).toBe(false)
    expect(progress().querySelector('details')?.textContent).toMatch(/^6 of 6 steps · 100%/)
  },
)

test.each([
  [0, ''],
  [500_00, '. Part of the payment is still open.'],
])(
  'during a paid stay the steps are folded, with %s cents owed: %s [LOOK-63]',
  async (balanceCents, words) => {
    changeAnswer('site.get', data => {
      data.site = { ...(data.site as object), today: '2031-06-30' }
    })
    changeAnswer('charges.list', data => {
      data.summary = { ...(data.summary as object), balanceCents }
    })
    changeAnswer('applications.get', data => {
      const paid = { ...booked, leaseSigned: true, paymentReceived: true }
      const stay = { leaseStartDate: '2031-06-01', leaseEndDate: '2031-06-30' }
      data.application = { ...(data.application as object), ...paid, ...stay }
    })
    await openApplication()
    await shows(() => within(progress()).getByRole('status'), `Pending Admin Verification${words}`)
    expect(progress().querySelector('details:not([open])')?.textContent).toMatch(/^5 of 6 steps · 83%/)
  },
)

test('saving an edit sends only the editable fields and shows the result [DETAIL-03, DETAIL-05, DETAIL-06, DETAIL-07, DETAIL-08]', async () => {
  const { id } = await openApplication(true, { additionalGuests: [] })
  await edit()
  expect(value('First name')).toBe('Maya')
  const labels = [...personal().querySelectorAll('label')].map(label => label.textContent?.replace(' *', ''))
  expect(labels).toEqual([
    'First name',
    'Last name',
    "Co-applicant's first name",
    "Co-applicant's last name",
    'Phone',
    'Street address',
    'City',
    'State',
    'ZIP code',
  ])
  fill({ Phone: '0', "Co-applicant's first name": 'Noah' }, within(personal()))
  await press('Save')
  await says('Please enter a valid phone number')
  await says('Last name is required for second applicant')

  const sent = recordInputs('applications.update')
  // The owner corrects a name meanwhile.
  const owner = site.app.as(await site.app.makeAdmin())
  await owner.applications.adminEdit({ id, firstName: 'Mia' })
  fill({ Phone: '8505550199', "Co-applicant's last name": 'Lee', City: 'Foley' }, within(personal()))
  await press('Save')
  await says('Application updated successfully!')
  await shows(personal, 'Co-applicantNoah Lee')
  expect(sent[0]).toMatchObject({ firstName: 'Mia' })
  expect(personal().textContent).toContain('Phone850-555-0199')
  expect(personal().textContent).toContain('Foley, AL 36602')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit' })))
  expect(Object.keys(sent[0] ?? {}).toSorted()).toEqual([
    'address',
    'firstName',
    'id',
    'lastName',
    'phone',
    'secondApplicantFirstName',
    'secondApplicantLastName',
  ])
})

/** With a clock that the test moves, beside the real time. */
function moveClock() {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    shouldAdvanceTime: true,
  })
  return (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
}

test('Cancel discards the draft, and a background refresh keeps it [DETAIL-04, DETAIL-12, DETAIL-21]', async () => {
  const advance = moveClock()
  const { id, tenant } = await openApplication()
  await edit()
  fill({ City: 'Half-typed' }, within(personal()))
  await site.app.as(await site.app.makeAdmin()).applications.adminSetStatus({ id, status: 'approved' })
  await site.app.as(tenant).applications.update({
    id,
    firstName: 'Maya',
    lastName: 'Rivers',
    phone: '8505550142',
    address: { street: '99 Oak Street', city: 'Dothan', state: 'AL', zipCode: '36301' },
    secondApplicantFirstName: '',
    secondApplicantLastName: '',
  })
  const calls = recordInputs('applications.get')
  await advance(12_000)
  expect(calls).toHaveLength(0)
  await advance(3_000)
  await shows(progress, '33%')
  expect(calls).toHaveLength(1)
  expect([value('City'), value('Street address')]).toEqual(['Half-typed', '12 Pine Street'])
  await press('Cancel')
  await shows(personal, 'Dothan, AL 36301')
  expect(document.body.textContent).not.toContain('Half-typed')
})

test('a rejected edit and an edit without a response are reported and keep the draft [DETAIL-09, DETAIL-10]', async () => {
  await openApplication()
  await edit()
  fill({ City: 'Foley' }, within(personal()))
  onCall('applications.update', () => refusal({ status: 409, message: 'The lease was signed meanwhile.' }))
  await press('Save')
  await waitFor(() => expect(toasts()).toContain('Failed to update application'))
  expect(toasts()).toContain('The lease was signed meanwhile.')
  onCall('applications.update', noAnswer)
  await press('Save')
  await waitFor(() => expect(toasts()).toContain('Error updating application'))
  expect(value('City')).toBe('Foley')
})

test('a lease signed elsewhere keeps the focus of an edit, locks the names and shows why; phone and address can still be changed [DETAIL-11, LOOK-34]', async () => {
  const advance = moveClock()
  const { tenant, id } = await makeLease(site.app)
  await openScreen(site.app, `/application/${id}`, tenant)
  await edit()
  const city = within(personal()).getByLabelText<HTMLInputElement>(/^City/)
  city.focus()
  fill({ City: 'Pensacola' }, within(personal()))
  await signLease(site.app, tenant, id)
  await advance(15_000)
  await shows(personal, 'The lease is signed, so the names in it can no longer change.')
  await advance(100)
  expect(document.activeElement).toBe(city)
  const names = within(personal()).getAllByLabelText<HTMLInputElement>(/name/)
  expect(names.map(({ readOnly }) => readOnly)).toEqual([true, true, true, true])
  const reason = names[2]?.getAttribute('aria-describedby')?.split(' ') ?? []
  expect(reason.map(part => document.getElementById(part)?.textContent)).toContain(
    'Locked by the signed lease',
  )
  await press('Save')
  await says('Application updated successfully!')
  await shows(personal, 'Pensacola')
  await edit()
  await waitFor(() => expect(document.activeElement).toBe(within(personal()).getByLabelText(/^Phone/)))
})

test('an unknown application and another tenant’s application lead back to the dashboard [DETAIL-23]', async () => {
  const { id } = await makeApplication()
  for (const foreign of [id, 'no-such-id']) {
    await openScreen(site.app, `/application/${foreign}`, await site.app.makeTenant())
    await says('Application not found')
    await isAt('/dashboard')
  }
})

test('any other failed load can be retried [DETAIL-24]', async () => {
  const { id, tenant } = await makeApplication()
  onCall('applications.get', () => refusal({ status: 500, message: 'no such table' }))
  await openScreen(site.app, `/application/${id}`, tenant)
  await says('Failed to load application data')
  onCall('applications.get', send => send())
  await press('Try Again')
  await shows(personal, 'Maya Rivers')
})

test('a draft can be submitted from the details [DETAIL-25, FORM-33, LOOK-77]', async () => {
  const stay = freeStay()
  const { id, tenant } = await openApplication(false, stay)
  expect(region('Application Status').textContent).toContain('Draft')
  expect(region('Application Status').textContent).toContain('Not submitted yet')
  onCall('applications.submit', noAnswer)
  await press('Submit Application')
  await says('Failed to submit application. Please try again.')
  onCall('applications.submit', send => send())
  await press('Submit Application')
  await says('Application submitted successfully!')
  await shows(progress, '17%')
  expect(screen.queryByRole('button', { name: 'Submit Application' })).toBeNull()
  expect((await site.app.as(tenant).applications.get({ id })).application.status).toBe('pending')

  await makeBooking(site.app, await site.app.makeTenant(), await site.app.makeAdmin(), stay)
  await openApplication(false, stay)
  await press('Submit Application')
  await says('These dates are no longer available:')
  expect(toasts()).not.toContain('These dates')
  expect(screen.getByRole('alert').textContent).toMatch(
    /^Failed to submit application. These dates are no longer available:/,
  )
  expect(region('Application Status').textContent).toContain('Draft')
})

test('the details show the applicants, the guests, the status and the notes [DETAIL-01, DETAIL-02, DETAIL-13, DETAIL-19, DETAIL-20, DETAIL-22]', async () => {
  const { tenant, id } = await makeApplication(true, {
    secondApplicantFirstName: 'Noah',
    secondApplicantLastName: 'Rivers',
    additionalGuests: [
      { firstName: 'Lina', lastName: 'Rivers', isAdult: false },
      { firstName: 'Ana', lastName: 'Lee', isAdult: true },
    ],
  })
  const admin = await site.app.makeAdmin()
  await site.app.as(admin).applications.adminEdit({ id, notes: 'Keys at the desk.' })
  await openScreen(site.app, `/application/${id}`, tenant)
  await screen.findByRole('region', { name: 'Personal Information' })
  for (const text of [
    'NameMaya Rivers',
    'Co-applicantNoah Rivers',
    'Phone850-555-0142',
    'Address12 Pine StreetMobile, AL 36602',
    'Total guests4',
  ])
    expect(personal().textContent).toContain(text)
  for (const text of ['Email', 'Requested dates']) expect(personal().textContent).toContain(text)
  const items = (name: string) =>
    within(region(name))
      .getAllByRole('listitem')
      .map(item => item.textContent)
  expect(items('Additional Guests')).toEqual(['Guest 1Lina RiversMinor', 'Guest 2Ana LeeAdult (18+)'])
  for (const text of ['Submitted', 'Mar 4, 2026', 'Keys at the desk.'])
    expect(region('Application Status').textContent).toContain(text)
  expect(items('Application Progress')).toEqual([
    expect.stringMatching(/^Application Submitted/),
    expect.stringMatching(/^2Application Approved.*1-2 business days/),
    expect.stringMatching(/^3Lease Generated/),
    expect.stringMatching(
      /^4Lease Uploaded.*Sign the lease online, or print it, sign it by hand and upload a scan/,
    ),
    expect.stringMatching(/^5Payment Made/),
    expect.stringMatching(/^6Admin Verification/),
  ])
  const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
  expect([hrefOf('Back to Dashboard'), hrefOf('New Application')]).toEqual(['/dashboard', '/application'])
})

test('an application that is not approved yet can be withdrawn after confirmation', async () => {
  const { user, id, tenant } = await openApplication()
  const withdraw = () => screen.getByRole('button', { name: 'Withdraw application' })
  await user.click(withdraw())
  await screen.findByRole('alertdialog')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(document.activeElement).toBe(withdraw())
  await user.click(withdraw())
  await press('Withdraw', within(await screen.findByRole('alertdialog')))
  await says('Application withdrawn')
  await shows(() => region('Application Status'), 'Declined')
  expect(screen.queryByRole('button', { name: 'Withdraw application' })).toBeNull()
  expect((await site.app.as(tenant).applications.get({ id })).application.status).toBe('rejected')

  const booked = await makeBooking(site.app, tenant, await site.app.makeAdmin(), freeStay())
  await openScreen(site.app, `/application/${booked.id}`, tenant)
  await shows(() => region('Application Status'), 'Approved')
  expect(screen.queryByRole('button', { name: 'Withdraw application' })).toBeNull()
})

test('the details show the amounts owed and paid, and the three newest payments [DETAIL-16, DETAIL-17, DETAIL-18, MONEY-03, MONEY-04, MONEY-05]', async () => {
  const { tenant, id: early } = await makeApplication()
  const admin = await site.app.makeAdmin()
  const block = () => region('Payments')
  const open = (id: string) => openScreen(site.app, `/application/${id}`, tenant)
  await open(early)
  await shows(block, 'Nothing owed yet. No payments yet.')

  const { id } = await makeBooking(site.app, tenant, admin, freeStay())
  await site.app.as(admin).leases.generate({ applicationId: id, rentalAmount: 1000, depositAmount: 500 })
  const pay = (amount: number, paymentDate: string) =>
    site.app.as(admin).payments.addManual({ ...buildManualPayment(id), amount, paymentDate })
  const shown = () =>
    within(block())
      .getAllByRole('listitem')
      .map(item => /\$\d+\.00/.exec(item.textContent)?.[0])
  for (const day of [1, 2, 3]) await pay(day * 100_00, `2026-03-0${day}`)
  await open(id)
  await shows(block, 'Total$1,500.00Paid−$600.00Amount owed$900.00')
  expect(shown()).toEqual(['$300.00', '$200.00', '$100.00'])
  expect(screen.queryByRole('link', { name: 'View All Payments' })).toBeNull()

  await pay(900_00, '2026-03-04')
  await open(id)
  await shows(block, 'Paid−$1,500.00BalancePaid in full')
  expect(shown()).toEqual(['$900.00', '$300.00', '$200.00'])
  await pay(123_45, '2026-03-04')
  await open(id)
  await shows(block, 'Overpaid$123.45')
  expect(screen.getByRole('link', { name: 'View All Payments' }).getAttribute('href')).toBe(
    `/payment/history?applicationId=${id}`,
  )
})

test('a way to pay is offered only while something is owed [LOOK-75]', async () => {
  const offered = () => screen.queryByRole('link', { name: 'Make a payment' }) !== null
  await openApplication()
  await shows(() => region('Payments'), 'Nothing owed yet')
  expect(offered()).toBe(false)
  const { tenant, id } = await makeLease(site.app, dates('2026-08-01', '2026-09-01'))
  await openScreen(site.app, `/application/${id}`, tenant)
  await waitFor(() => expect(offered()).toBe(true))
})

test('on a phone what is done is folded [LOOK-89]', async () => {
  const phone = vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList)
  const { tenant, id } = await makeLease(site.app, dates('2026-10-01', '2026-11-01'))
  await openScreen(site.app, `/application/${id}`, tenant)
  const folded = (name: string) => region(name).querySelector('details:not([open])')?.textContent
  await waitFor(() => expect(folded('Application Progress')).toMatch(/^3 steps done/))
  phone.mockRestore()
})
