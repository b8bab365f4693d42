// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { dates, makeBooking, makePending } from '../../../testing/build-application.ts'
import { buildManualPayment } from '../../../testing/build-payment.ts'
import {
  appOfFile,
  button,
  fill,
  noAnswer,
  onCall,
  openScreen,
  refusal,
} from '../../../testing/component.tsx'
import { toast as allToasts } from '../../ui/toast.ts'

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
  const choose = async (name: string) => {
    if (name !== 'Delete') return user.click(button(name))
    await user.click(button('More actions'))
    return user.click(await screen.findByRole('menuitem', { name }))
  }
  if (id !== 'unknown') await screen.findByRole('region', { name: 'Personal Information' })
  return { user, choose }
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
  const { user } = await open(id)
  await screen.findByText('No payments found')
  for (const procedure of ['payments.adminHistory', 'applications.adminGet']) {
    onCall(procedure, () => refusal({ status: 500, message: 'Something went wrong. Please try again.' }))
    await user.click(button('Refresh'))
    await toast('Failed to load application data')
    expect(screen.getAllByText('Failed to load application data')).toHaveLength(1)
    await waitFor(() => expect(button('Refresh').hasAttribute('disabled')).toBe(false))
    expect(screen.getByRole('region', { name: 'Personal Information' }).textContent).toContain('Maya')
    onCall(procedure, send => send())
    allToasts.clear()
    await waitFor(() => expect(toasts()).toBe(''))
  }
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

test('confirmations mention nights and payments only if there are any [LOOK-07]', async () => {
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
  await asks((await pending()).id, 'Delete', [], [free, paid])
  const stay = freeStay()
  const { id } = await booked(stay)
  await owner().payments.addManual(buildManualPayment(id))
  const generate = (leaseStartDate: string) =>
    owner().leases.generate({ applicationId: id, leaseStartDate, leaseEndDate: stay.requestedEndDate })
  await generate(stay.requestedStartDate)
  await asks(id, 'Delete', [free, paid], [])
  await asks(id, 'Delete Lease', ['This removes the signed file'], [bookedAgain])
  await generate(addDays(stay.requestedStartDate, 1))
  await asks(id, 'Delete Lease', [bookedAgain], [])
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  await asks(id, 'Delete', [paid], [free])
  await asks(id, 'Delete Lease', ['This removes the signed file'], [bookedAgain])
})

test('a rejected or failed edit is reported and keeps the draft, even when the page refreshes [ADMAPP-12, ADMAPP-13, TOAST-07]', async () => {
  const taken = freeStay()
  const other = await booked(taken)
  const { id } = await booked()
  const { user } = await open(id)
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
  await user.click(button('Refresh'))
  await waitFor(() => expect(button('Refresh').hasAttribute('disabled')).toBe(false))
  expect(personal.getByLabelText<HTMLInputElement>(/^Requested start date/).value).toBe(
    taken.requestedStartDate,
  )
  onCall('applications.adminEdit', noAnswer)
  await user.click(personal.getByRole('button', { name: 'Save' }))
  await toast('Error updating application')
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
  onCall('leases.trail', () => refusal({ status: 500 }))
  onCall('applications.adminStatusPreview', () => refusal({ status: 500 }))
  const { user } = await open(id)
  await screen.findByText(/^Failed to load the lease/)
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
