// @vitest-environment dom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import type { SignedIn } from '../../../../domain/accounts/access.ts'
import { addDays } from '../../../../domain/common/dates.ts'
import { startMailWorker } from '../../../../server/mail/worker.ts'
import { signUp } from '../../../../testing/build-account.ts'
import { dates, makeBooking, makePending } from '../../../../testing/build-application.ts'
import { buildEntry } from '../../../../testing/build-entry.ts'
import { signLease } from '../../../../testing/build-lease.ts'
import { buildOffer, offerPerson, offerToken } from '../../../../testing/build-offer.ts'
import { buildManualPayment } from '../../../../testing/build-payment.ts'
import { buildRate } from '../../../../testing/build-rate.ts'
import {
  appOfFile,
  button,
  fill,
  noAnswer,
  onCall,
  openScreen,
  press,
  refusal,
} from '../../../../testing/component.tsx'
import { noMailSources } from '../../../../testing/no-mail-sources.ts'
import { visitor } from '../../../../testing/test-app.ts'
import { toast as allToasts } from '../../../ui/toast.ts'

const site = appOfFile()
let admin: SignedIn
beforeAll(async () => {
  admin = await site.app.makeAdmin()
})

const owner = () => site.app.as(admin)
const toasts = () => screen.getByLabelText('Notifications').textContent
const toast = (text: string | RegExp) =>
  waitFor(() =>
    expect(toasts()).toMatch(typeof text === 'string' ? new RegExp(text.replaceAll('.', '\\.')) : text),
  )
const card = (name: string) => within(screen.getByRole('region', { name }))
const status = () => card('Application Status')

let nextStart = '2027-01-01'
/** Dates that no other test of this file uses. */
function freeStay() {
  const start = nextStart
  nextStart = addDays(start, 20)
  return dates(start, addDays(start, 10))
}

async function open(id: string) {
  const { user } = await openScreen(site.app, `/admin/application/${id}`, admin)
  const choosePageAction = (name: string) => user.click(screen.getByRole('button', { name }))
  const choose = async (name: string) => {
    if (name === 'Delete') return choosePageAction(name)
    await user.click(card('Lease Information').getByRole('button', { name: 'More actions' }))
    return user.click(card('Lease Information').getByRole('menuitem', { name }))
  }
  if (id !== 'unknown') await screen.findByRole('region', { name: 'Personal Information' })
  return { user, choose, choosePageAction }
}

const pending = async (stay = freeStay()) => makePending(site.app, await site.app.makeTenant(), stay)
const booked = async (stay = freeStay()) => makeBooking(site.app, await site.app.makeTenant(), admin, stay)

test('an unknown application leads to the dashboard [ADMAPP-05]', async () => {
  await open('unknown')
  await toast('Application not found')
  await waitFor(() => expect(window.location.pathname).toBe('/admin/dashboard'))
})

test('a failed Refresh is reported once and keeps the content [ADMAPP-06, LOOK-01]', async () => {
  const { id } = await pending()
  const { choosePageAction } = await open(id)
  await screen.findByText('No payments found')
  for (const procedure of ['payments.adminHistory', 'applications.adminGet']) {
    onCall(procedure, () => refusal({ status: 500, message: 'Something went wrong. Please try again.' }))
    await choosePageAction('Refresh')
    await toast('Failed to load application data')
    expect(screen.getAllByText('Failed to load application data')).toHaveLength(1)
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Refresh' }).hasAttribute('disabled')).toBe(false),
    )
    expect(screen.getByRole('region', { name: 'Personal Information' }).textContent).toContain('Maya')
    onCall(procedure, send => send())
    allToasts.clear()
    await waitFor(() => expect(toasts()).toBe(''))
  }
})

test('an application that cannot be loaded has a plain title, and nothing that could be deleted [ADMAPP-06]', async () => {
  const { id } = await pending()
  onCall('applications.adminGet', () => refusal({ status: 500 }))
  await openScreen(site.app, `/admin/application/${id}`, admin)
  await screen.findByText('Failed to load application data')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Application Details')
  expect(screen.queryByText('Delete')).toBeNull()
  onCall('applications.adminGet', send => send())
  await press('Try Again')
  await screen.findByRole('heading', { name: /Maya Rivers/ })
})

test('Delete asks for confirmation, reports a failure, and leads to the dashboard on success [ADMAPP-03, ADMAPP-04]', async () => {
  const { id } = await pending()
  const { user, choose } = await open(id)
  const confirm = async () => {
    await choose('Delete')
    const name = 'Are you sure you want to delete this application?'
    await user.click(
      within(await screen.findByRole('alertdialog', { name })).getByRole('button', { name: 'Delete' }),
    )
  }
  onCall('applications.adminDelete', () => refusal({ status: 500 }))
  await confirm()
  await toast('Failed to delete application')
  expect(window.location.pathname).toBe(`/admin/application/${id}`)
  onCall('applications.adminDelete', send => send())
  await confirm()
  await waitFor(() => expect(window.location.pathname).toBe('/admin/dashboard'))
  await expect(owner().applications.adminGet({ id })).rejects.toThrow('not found')
})

test('confirmations mention nights and payments only if there are any [LOOK-07, LOOK-69]', async () => {
  const free = 'Its nights become free at once.'
  const paid = 'Its payments stay in the ledger'
  const bookedAgain = 'The requested dates are booked again'
  const asks = async (id: string, name: string, expected: string[], absent: string[]) => {
    const { choose } = await open(id)
    await choose(name)
    const question = await screen.findByRole('alertdialog')
    for (const text of expected) expect(question.textContent).toContain(text)
    for (const text of absent) expect(question.textContent).not.toContain(text)
  }
  const gone = 'It disappears for you and the tenant, with its messages'
  await asks((await pending()).id, 'Delete', [`${gone}. The tenant gets no email.`], [free, paid])
  const stay = freeStay()
  const { id } = await booked(stay)
  await owner().payments.addManual(buildManualPayment(id))
  const generate = (leaseStartDate: string) =>
    owner().leases.generate({ applicationId: id, leaseStartDate, leaseEndDate: stay.requestedEndDate })
  await generate(stay.requestedStartDate)
  await asks(id, 'Delete', [`${gone} and its lease.`, free, paid], [])
  const kept = ['The nights stay booked.', 'paid so far stays on the booking', 'The tenant gets no email.']
  await asks(id, 'Delete lease', ['This removes the signed file', ...kept], [bookedAgain])
  await generate(addDays(stay.requestedStartDate, 1))
  await asks(id, 'Delete lease', [bookedAgain], [])
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  await asks(id, 'Delete', [paid], [free])
  await asks(id, 'Delete lease', ['This removes the signed file'], [bookedAgain, 'The nights stay booked.'])
})

test('the owner answers with the price in sight, and with a sentence in the email that is shown [LOOK-61, LOOK-66, LOOK-68]', async () => {
  const stay = freeStay()
  const { id } = await pending(stay)
  await owner().rates.create(buildRate({ startDate: '2027-01-01', endDate: '2028-12-31', nightly: 100 }))
  const after = dates(addDays(stay.requestedEndDate, 3), addDays(stay.requestedEndDate, 5))
  await booked(after)
  const { user } = await open(id)
  const facts = ['Nights10', 'Guests1', 'Deposit$500.00', 'Free after3 nights', 'Phone850-555-0142']
  await waitFor(() => {
    const text = screen.getByRole('region', { name: 'Application Status' }).textContent
    for (const fact of [...facts, 'Rent$']) expect(text).toContain(fact)
  })
  const phone = status().getByRole('link', { name: '850-555-0142' })
  expect(phone.getAttribute('href')).toBe('tel:8505550142')
  const email = card('Personal Information').getByRole('link', { name: /@guest/ })
  expect(email.getAttribute('href')).toMatch(/^mailto:/)
  await user.click(status().getByRole('button', { name: 'Decline' }))
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByText('We cannot offer you these dates', { exact: false })
  for (const fact of facts) expect(dialog.textContent).toContain(fact)
  fill({ 'A sentence to the guest': 'The roof is being repaired.' }, within(dialog))
  await within(dialog).findByText(/From the owner\s+The roof is being repaired\./)
  await user.click(within(dialog).getByRole('button', { name: 'Decline' }))
  await toast('Application status updated')
  const { mails } = await owner().applications.adminMails({ id })
  expect(mails[0]).toMatchObject({ subject: 'Application declined', state: 'queued', words: null })
})

test('the next step of a cancelled stay names what goes back, and its dialog says once how [LOOK-82, CHANGE-15]', async () => {
  const { id } = await booked()
  await owner().payments.addManual({ ...buildManualPayment(id, { amount: 787_50 }), paymentType: 'rent' })
  await owner().cancellations.cancel({ applicationId: id, side: 'owner', reason: 'A pipe burst.' })
  const { user } = await open(id)
  const record = await status().findByRole('button', { name: 'Record refund' })
  status().getByText('Return $787.50')
  status().getByText('Nothing is booked anymore. $787.50 has not gone back to the tenant.')
  await user.click(record)
  within(await screen.findByRole('dialog')).getByText('What you have paid back by hand: $787.50.')
  await openScreen(site.app, `/admin/application/${id}#give-back`, admin)
  await screen.findByRole('dialog', { name: 'Record refund' })
})

test('the dialog that cancels a stay names the rule only if the tenant cancels [CHANGE-15]', async () => {
  const { id } = await booked()
  await owner().payments.addManual({ ...buildManualPayment(id, { amount: 900_00 }), paymentType: 'rent' })
  const { user } = await open(id)
  await user.click(await status().findByRole('menuitem', { name: 'Cancel Stay' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this stay?' }))
  await dialog.findByText('You cancel: 100% back')
  await user.click(dialog.getByRole('radio', { name: /^The tenant/ }))
  await dialog.findByText(/days before arrival: \d+% back/)
})

test('what comes too early or ends a booking is in the menu, and the address opens the next dialog [LOOK-63, LOOK-69, LOOK-82]', async () => {
  const { id } = await booked()
  const { user } = await open(id)
  expect(status().queryByRole('button', { name: 'Decline' })).toBeNull()
  for (const name of ['Confirm booking', 'Decline']) status().getByRole('menuitem', { name })
  await user.click(status().getByRole('menuitem', { name: 'Decline' }))
  const question = await screen.findByRole('dialog', { name: 'Decline Maya Rivers’s booking?' })
  await within(question).findByText(/become free at once/)
  await openScreen(site.app, `/admin/application/${id}#generate-lease`, admin)
  const dialog = within(await screen.findByRole('dialog', { name: 'Generate the lease' }))
  await dialog.findByLabelText(/^Rent for the stay/)
  expect(window.location.hash).toBe('')
  await openScreen(site.app, `/admin/application/${id}#return-deposit`, admin)
  await screen.findByRole('region', { name: 'Personal Information' })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the lease shows the dates of its plan before it is generated, and the usual plan by name [LOOK-59, LOOK-60]', async () => {
  const { id } = await booked()
  await owner().settings.plan.save({ version: 0, body: { kind: 'off' } })
  await openScreen(site.app, `/admin/application/${id}#generate-lease`, admin)
  const dialog = await screen.findByRole('dialog')
  const choice = await within(dialog).findByLabelText<HTMLSelectElement>('Payment plan')
  expect(choice.options[0]?.text).toBe('Usual (no plan)')
  await within(dialog).findByText('Total in the lease')
  expect(within(dialog).queryByText('The tenant will read in the lease:')).toBeNull()
  fill({ 'Payment plan': 'full' }, within(dialog))
  await within(dialog).findByText(/- Security deposit: \$500\.00, due when this Agreement is signed/)
})

test('while an addendum is open, its signature is waited for, and it is not said that nothing else is due', async () => {
  const stay = freeStay()
  const tenant = await site.app.makeTenant()
  const { id } = await makeBooking(site.app, tenant, admin, stay)
  const terms = { leaseStartDate: stay.requestedStartDate, leaseEndDate: stay.requestedEndDate }
  await owner().leases.generate({ applicationId: id, ...terms, rentalAmount: 1750, depositAmount: 500 })
  await signLease(site.app, tenant, id)
  await owner().payments.addManual({ ...buildManualPayment(id, { amount: 500_00 }), paymentType: 'deposit' })
  await open(id)
  status().getByText('Nothing else is due until then.')
  cleanup()
  await owner().addenda.make({ applicationId: id, leaseEndDate: addDays(terms.leaseEndDate, 3) })
  await open(id)
  status().getByText('An addendum waits for a signature.')
  expect(status().queryByText('Nothing else is due until then.')).toBeNull()
})

test('a payment above the agreed deposit is pointed out but can be saved [LOOK-82]', async () => {
  const stay = freeStay()
  const { id } = await booked(stay)
  const terms = { leaseStartDate: stay.requestedStartDate, leaseEndDate: stay.requestedEndDate }
  await owner().leases.generate({ applicationId: id, ...terms, rentalAmount: 1750, depositAmount: 600 })
  const { user } = await open(id)
  await user.click(button('Add Manual Payment'))
  const dialog = within(await screen.findByRole('dialog'))
  const warning = () => dialog.queryByText('$600.00 of the deposit is owed. Enter the rest as rent.')
  expect(warning()).toBeNull()
  fill({ Amount: '1150' }, dialog)
  await waitFor(() => expect(warning()).not.toBeNull())
  fill({ 'Payment type': 'rent' }, dialog)
  await waitFor(() => expect(warning()).toBeNull())
  fill({ 'Payment type': 'deposit' }, dialog)
  await waitFor(() => expect(warning()).not.toBeNull())
  await user.click(dialog.getByRole('button', { name: 'Add payment' }))
  await toast('Manual payment added successfully!')
})

test('a payment and a returned deposit start with what is open and held [LOOK-82]', async () => {
  const stay = freeStay()
  const { id } = await booked(stay)
  const terms = { leaseStartDate: stay.requestedStartDate, leaseEndDate: stay.requestedEndDate }
  await owner().leases.generate({ applicationId: id, ...terms, rentalAmount: 1750, depositAmount: 600 })
  const { user } = await open(id)
  await user.click(button('Add Manual Payment'))
  const dialog = within(await screen.findByRole('dialog'))
  const value = (label: string) => dialog.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`)).value
  expect([value('Payment type'), value('Amount')]).toEqual(['deposit', '600'])
  fill({ 'Payment type': 'rent' }, dialog)
  expect(value('Amount')).toBe('1750')
  fill({ Amount: '12' }, dialog)
  fill({ 'Payment type': 'deposit' }, dialog)
  expect(value('Amount')).toBe('12')
})

test('every email of a booking is listed with its words, and the owner writes one more [LOOK-81]', async () => {
  const { id } = await booked()
  const worker = startMailWorker(site.app.deps, noMailSources)
  await worker.deliverDue()
  await worker.stop()
  const { user } = await open(id)
  const sent = card('Sent')
  await sent.findByText('Your application is approved', { exact: false })
  expect(screen.getByRole('region', { name: 'Sent' }).textContent).toContain(
    'The owner has approved your application.',
  )
  await user.click(sent.getByRole('button', { name: 'Write to the guest' }))
  const dialog = within(await screen.findByRole('dialog'))
  fill({ Subject: 'Parking', Message: 'Space 12 is yours.' }, dialog)
  await user.click(dialog.getByRole('button', { name: 'Send' }))
  await toast('Your message is on its way')
  await sent.findByText('Parking')
})

test('a guest who owes is reminded with the email in sight, and one who has not signed is written to [LOOK-67, LOOK-70]', async () => {
  const stay = freeStay()
  const tenant = await site.app.makeTenant()
  const { id } = await makeBooking(site.app, tenant, admin, stay)
  const terms = { leaseStartDate: stay.requestedStartDate, leaseEndDate: stay.requestedEndDate }
  await owner().leases.generate({ applicationId: id, ...terms })
  await openScreen(site.app, `/admin/application/${id}#signature`, admin)
  const letter = within(await screen.findByRole('dialog', { name: /^Write to/ }))
  expect(letter.getByLabelText<HTMLTextAreaElement>(/^Message/).value).toMatch(
    new RegExp(`/application/${id}#sign$`),
  )
  await signLease(site.app, tenant, id)
  const { user } = await openScreen(site.app, `/admin/application/${id}#owed`, admin)
  const dialog = within(await screen.findByRole('dialog', { name: 'Remind Maya Rivers' }))
  await dialog.findByText(/^The email: Payment reminder: \$/)
  fill({ 'A sentence to the guest': 'See you soon.' }, dialog)
  await dialog.findByText(/From the owner\s+See you soon\./)
  await user.click(dialog.getByRole('button', { name: 'Send' }))
  await toast('The reminder is on its way')
  await card('Lease history').findByText('Payment reminder sent')
  await status().findByText('A reminder was sent today.')
  expect(status().queryByRole('button', { name: 'Send reminder' })).toBeNull()
  await user.click(status().getByRole('button', { name: 'Write to the guest' }))
  await screen.findByRole('dialog', { name: 'Write to Maya Rivers' })
  await openScreen(site.app, `/admin/application/${id}#write`, admin)
  await screen.findByRole('dialog', { name: 'Write to Maya Rivers' })
})

test('of a booking that was confirmed with an unsigned lease no reminder is offered, which would be refused [LOOK-67]', async () => {
  const { id } = await booked()
  await owner().leases.generate({ applicationId: id })
  await owner().applications.adminSetStatus({ id, status: 'completed' })
  await open(id)
  expect(await status().findByRole('button', { name: 'Copy link to lease' })).toBeDefined()
  expect(status().queryByRole('button', { name: 'Send reminder' })).toBeNull()
})

test('a rejected or failed edit is reported and keeps the draft, even when the page refreshes [ADMAPP-12, ADMAPP-13, TOAST-07]', async () => {
  const taken = freeStay()
  const other = await booked(taken)
  const { id } = await booked()
  const { user, choosePageAction } = await open(id)
  const personal = card('Personal Information')
  await user.click(personal.getByRole('button', { name: 'Edit' }))
  const requested = {
    'Requested start date': taken.requestedStartDate,
    'Requested end date': taken.requestedEndDate,
  }
  await personal.findByLabelText(/^Requested start date/)
  fill(requested, personal)
  await user.click(personal.getByRole('button', { name: 'Save' }))
  const text = `These dates overlap application ${other.applicationNumber}`
  await toast('Failed to update application')
  await toast(text)
  expect(
    personal
      .getAllByRole('alert')
      .map(each => each.textContent)
      .join(),
  ).toContain(text)
  await choosePageAction('Refresh')
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Refresh' }).hasAttribute('disabled')).toBe(false),
  )
  expect(personal.getByLabelText<HTMLInputElement>(/^Requested start date/).value).toBe(
    taken.requestedStartDate,
  )
  onCall('applications.adminEdit', noAnswer)
  await user.click(personal.getByRole('button', { name: 'Save' }))
  await toast('Error updating application')
})

test('an edit saves only what was changed in it, not what another tab or the tenant changed meanwhile [ADMAPP-11]', async () => {
  const { id } = await pending()
  const { user } = await open(id)
  const personal = card('Personal Information')
  await user.click(personal.getByRole('button', { name: 'Edit' }))
  await personal.findByLabelText(/^Notes/)
  const changed = { lastName: 'Rivers-Lee', rentalAmount: 3000, additionalGuests: [] }
  await owner().applications.adminEdit({ id, ...changed, address: { street: '99 New Road' } })
  fill({ Notes: 'Late arrival', City: 'Destin' }, personal)
  await user.click(personal.getByRole('button', { name: 'Save' }))
  await toast('Application updated successfully!')
  const { application } = await owner().applications.adminGet({ id })
  const address = { street: '99 New Road', city: 'Destin' }
  expect(application).toMatchObject({ ...changed, notes: 'Late arrival', address })
})

/** Opens the dialog that asks about a decision. */
async function openDecision(id: string, verb: string) {
  const { user } = await open(id)
  await user.click(status().getByRole('button', { name: verb }))
  const dialog = await screen.findByRole('dialog')
  const confirm = () => within(dialog).getByRole('button', { name: verb })
  await waitFor(() => expect(confirm().hasAttribute('disabled')).toBe(false))
  return { user, dialog, confirm }
}

test('a double booking is rejected, and the dialog shows it [ADMAPP-20, ADMAPP-21, TOAST-07]', async () => {
  const stay = freeStay()
  const { id } = await pending(stay)
  const { user, dialog, confirm } = await openDecision(id, 'Approve')
  // Another application for these dates is approved while the dialog is open.
  const other = await booked(stay)
  await user.click(confirm())
  await toast('Failed to update status')
  await toast(`These dates overlap application ${other.applicationNumber}`)
  await waitFor(() => expect(dialog.textContent).toContain('These dates are booked by another application'))
  expect(dialog.textContent).toContain(`${other.applicationNumber}, Maya Rivers`)
  expect(confirm().hasAttribute('disabled')).toBe(true)
})

test('the decide dialog shows the guest’s message [LOOK-61]', async () => {
  const tenant = await site.app.makeTenant()
  const { id } = await makePending(site.app, tenant, { ...freeStay(), guestNote: 'Is there a washer?' })
  const { dialog } = await openDecision(id, 'Approve')
  expect(dialog.textContent).toContain('MessageIs there a washer?')
})

test('the reason to cancel starts with what the tenant wrote [CHANGE-05]', async () => {
  const tenant = await site.app.makeTenant()
  const { id } = await makeBooking(site.app, tenant, admin, freeStay())
  await site.app.as(tenant).cancellations.request({ applicationId: id, reason: 'My mother is ill.' })
  const { user } = await open(id)
  await user.click(await screen.findByRole('button', { name: 'Cancel Stay' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('My mother is ill.')
})

test('the menu of a booking leads to an email to the guest [LOOK-81]', async () => {
  const { user } = await open((await booked()).id)
  await user.click(status().getByRole('button', { name: 'More actions' }))
  await user.click(status().getByRole('menuitem', { name: 'Write to the guest' }))
  await screen.findByRole('dialog', { name: 'Write to Maya Rivers' })
})

test('a decision that fails shows the fixed text, not the message of a 500 [TOAST-07, TOAST-08]', async () => {
  const { user, confirm } = await openDecision((await pending()).id, 'Decline')
  onCall('applications.adminSetStatus', () => refusal({ status: 500, message: 'not for the screen' }))
  await user.click(confirm())
  await toast('Failed to update status')
  expect(screen.queryByText('not for the screen')).toBeNull()
})

test('rejects a decision based on an outdated status, and the dialog shows the new one [FIX-16]', async () => {
  const { id } = await pending()
  const { user, dialog, confirm } = await openDecision(id, 'Approve')
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  await user.click(confirm())
  await toast('Failed to update status')
  await toast('This application has changed meanwhile')
  await waitFor(() => expect(dialog.textContent).toContain('The status is now Declined.'))
  expect(confirm().hasAttribute('disabled')).toBe(true)
})

test('a decision on a rent that was changed meanwhile is rejected, and the dialog shows the new one [FIX-16]', async () => {
  const { id } = await pending()
  const { user, dialog, confirm } = await openDecision(id, 'Approve')
  await owner().applications.adminEdit({ id, rentalAmount: 1234 })
  await user.click(confirm())
  await toast('This application has changed meanwhile')
  await within(dialog).findByText('$1,234.00')
  await user.click(confirm())
  await toast('Application status updated')
})

test('the form shows how a new requested date moves the dates of the lease before it is saved [FIX-15]', async () => {
  const stay = freeStay()
  const [start, end] = [stay.requestedStartDate, stay.requestedEndDate]
  const { id } = await booked(stay)
  await owner().leases.generate({ applicationId: id, leaseStartDate: start, leaseEndDate: addDays(end, -2) })
  const { user } = await open(id)
  const personal = card('Personal Information')
  await user.click(personal.getByRole('button', { name: 'Edit' }))
  await personal.findByLabelText(/^Requested start date/)
  expect(personal.queryByText(/^The lease's start moves/)).toBeNull()
  fill({ 'Requested start date': addDays(start, 3) }, personal)
  await personal.findByText(/^The lease's start moves from .* to .*; its end stays .*\.$/)
  fill({ 'Requested start date': addDays(end, -1) }, personal)
  await user.click(personal.getByRole('button', { name: 'Save' }))
  await personal.findAllByText(/Please change the other date too\./)
  fill({ 'Requested start date': addDays(start, 3) }, personal)
  await user.click(personal.getByRole('button', { name: 'Save' }))
  await toast('Application updated successfully!')
  const { application } = await owner().applications.adminGet({ id })
  expect(application).toMatchObject({ leaseStartDate: addDays(start, 3), leaseEndDate: addDays(end, -2) })
})

test('sections that fail to load leave the others usable', async () => {
  const { id } = await pending()
  const booking = await makeBooking(site.app, await site.app.makeTenant(), admin, freeStay())
  onCall('leases.trail', () => refusal({ status: 500 }))
  await open(booking.id)
  await screen.findByText(/^Failed to load the lease/)
  onCall('applications.adminStatusPreview', () => refusal({ status: 500 }))
  const { user } = await open(id)
  await screen.findByText('No payments found')
  await user.click(status().getByRole('button', { name: 'Approve' }))
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByText(/We could not check what this will do\./)
  await user.click(within(dialog).getByRole('button', { name: 'Approve' }))
  await toast('Application status updated')
})

test('the transfer dialog does not offer choices that it cannot reload [LOOK-95]', async () => {
  const tenant = await site.app.makeTenant()
  const { id } = await makeBooking(site.app, tenant, admin, freeStay())
  const stay = freeStay()
  const owing = await makeBooking(site.app, tenant, admin, stay)
  const terms = { leaseStartDate: stay.requestedStartDate, leaseEndDate: stay.requestedEndDate }
  await owner().leases.generate({ applicationId: owing.id, ...terms })
  await owner().payments.addManual(buildManualPayment(id))
  const { user } = await open(id)
  await screen.findByRole('button', { name: 'Transfer Amount' })
  onCall('payments.availableDeposits', () => refusal({ status: 500 }))
  await user.click(button('Transfer Amount'))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('Failed to fetch available applications')
  expect(dialog.queryByLabelText(/^Destination application/)).toBeNull()
  expect(dialog.queryByRole('button', { name: 'Transfer' })).toBeNull()
  onCall('payments.availableDeposits', send => send())
  await user.click(dialog.getByRole('button', { name: 'Try Again' }))
  const choice = await dialog.findByLabelText<HTMLSelectElement>(/^Destination application/)
  expect(choice.options).toHaveLength(2)
  dialog.getByRole('button', { name: 'Transfer' })
})

test.each(['entered', 'offered'] as const)(
  'the owner sees that a booking that was %s is closed to the account that registered its email, and can invite again [FIX-27]',
  async how => {
    const { app } = site
    const email = `${how}@guest.example`
    const { requestedEndDate: endDate, requestedStartDate: startDate } = freeStay()
    await signUp(app, { email })
    if (how === 'entered')
      await owner().manualBookings.create(buildEntry({ email, endDate, startDate, invite: true }))
    else {
      const { claim } = await owner().offers.make(buildOffer({ email, endDate, startDate }))
      const totalCents = claim.totalCents ?? 0
      const answer = {
        token: offerToken(app, claim.id),
        typedName: 'Anna Miller',
        totalCents,
        person: offerPerson,
      }
      await app.as(visitor).offers.acceptByLink(answer)
    }
    const [booking] = (await owner().applications.adminList({ search: email })).applications
    await open(booking?.id ?? '')
    await status().findByText('Closed to the account of this email')
    status().getByText('Invited')
    status().getByRole('button', { name: 'Send invitation again' })
    expect(status().queryByRole('button', { name: /Copy link/ })).toBeNull()
  },
)
