// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import type { SignedIn } from '../../../../domain/accounts/access.ts'
import { addDays } from '../../../../domain/common/dates.ts'
import { dates, makeBooking } from '../../../../testing/build-application.ts'
import { buildManualPayment } from '../../../../testing/build-payment.ts'
import {
  appOfFile,
  button,
  fill,
  isAt,
  onCall,
  openScreen,
  recordInputs,
  refusal,
  says,
} from '../../../../testing/component.tsx'

const site = appOfFile()
let admin: SignedIn
beforeAll(async () => {
  admin = await site.app.makeAdmin()
})
const owner = () => site.app.as(admin)

let nextStart = '2027-01-01'
/** A booking for dates that no other test of this file uses. */
async function booked(tenant?: SignedIn) {
  const start = nextStart
  nextStart = addDays(start, 40)
  const made = await makeBooking(
    site.app,
    tenant ?? (await site.app.makeTenant()),
    admin,
    dates(start, addDays(start, 30)),
  )
  const terms = { leaseStartDate: start, leaseEndDate: addDays(start, 30) }
  const generate = (rentalAmount: number, depositAmount: number) =>
    owner().leases.generate({ applicationId: made.id, ...terms, rentalAmount, depositAmount })
  return { ...made, generate }
}

const region = () => screen.getByRole('region', { name: 'Payment Information' })
const payments = () => within(region())
const rows = () => [...region().querySelectorAll('tbody tr')].map(row => row.textContent)

async function open(id: string) {
  const { user } = await openScreen(site.app, `/admin/application/${id}`, admin)
  await screen.findByRole('region', { name: 'Payment Information' })
  return {
    user,
    choose: async (name: string) => {
      await user.click(await payments().findByRole('button', { name: /^Actions for/ }))
      await user.click(payments().getByRole('menuitem', { name }))
    },
    press: (name: string) => user.click(button(name)),
  }
}

async function openDialog() {
  const element = await screen.findByRole('dialog')
  const dialog = within(element)
  return {
    ...dialog,
    element,
    value: (label: string) => dialog.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`)).value,
    options: (label: string) =>
      [...dialog.getByLabelText<HTMLSelectElement>(new RegExp(`^${label}`)).options].map(({ text }) => text),
  }
}

test('a manual payment can be added and deleted, and missing fields and failures are reported [ADMAPP-33, ADMAPP-34, ADMAPP-35, ADMAPP-36, ADMAPP-37]', async () => {
  const { id } = await booked()
  const { choose, press, user } = await open(id)
  await payments().findByText('No payments found')
  await press('Add Manual Payment')
  const dialog = await openDialog()
  const add = () => user.click(dialog.getByRole('button', { name: 'Add payment' }))
  expect(dialog.value('Payment date')).toBe('2026-03-04')
  expect(dialog.options('Payment type')).toEqual(['Select a type', 'Rent', 'Deposit', 'Other'])
  // They start with what is open.
  fill({ Amount: '', 'Payment type': '' }, dialog)
  await add()
  await waitFor(() => expect(dialog.getAllByText('Please fill in all required fields')).toHaveLength(2))
  fill({ Amount: '12.345' }, dialog)
  await dialog.findByText('Please enter a valid amount')
  const entered = { Amount: '1234.50', 'Payment type': 'rent', 'Payment date': '2026-03-01' }
  fill({ ...entered, 'Check number': '1042', Notes: 'Left at the desk' }, dialog)
  // It was recorded, but the answer is lost.
  onCall('payments.addManual', send => send().then(() => refusal({ status: 500 })))
  await add()
  await says('Failed to add manual payment')
  await waitFor(() => expect(document.body.textContent).toContain('Check 1042'))
  onCall('payments.addManual', send => send())
  await add()
  await says('Manual payment added successfully!')
  await waitFor(() => expect(rows()).toHaveLength(1))
  for (const text of ['Rent', 'Check 1042', 'Left at the desk', '$1,234.50', 'Succeeded'])
    expect(rows()[0]).toContain(text)

  const remove = async () => {
    await choose('Delete')
    const name = 'Are you sure you want to delete this payment?'
    const question = within(await screen.findByRole('alertdialog', { name }))
    await user.click(question.getByRole('button', { name: 'Delete' }))
  }
  onCall('payments.remove', () => refusal({ status: 500 }))
  await remove()
  await says('Failed to delete payment')
  expect(rows()).toHaveLength(1)
  onCall('payments.remove', send => send())
  await remove()
  await says('Payment deleted successfully!')
  await payments().findByText('No payments found')
})

test('shows the first five payments with the balance, and a link to the rest [ADMAPP-15, ADMAPP-16]', async () => {
  const tenant = await site.app.makeTenant({ firstName: 'Maya', lastName: 'Rivers' })
  const { generate, id } = await booked(tenant)
  await generate(2000, 500)
  for (let n = 1; n <= 6; n++)
    await owner().payments.addManual({
      ...buildManualPayment(id, { amount: n * 100_00 }),
      paymentDate: addDays('2026-03-04', -n),
    })
  const { user } = await open(id)
  await waitFor(() => expect(rows()).toHaveLength(5))
  expect(rows()[0]).toContain('$100.00')
  expect(payments().queryByText('$600.00')).toBeNull()
  for (const sum of ['Total$2,500.00', 'Paid−$2,100.00', 'Amount owed$400.00'])
    expect(region().textContent).toContain(sum)
  await user.click(payments().getByRole('link', { name: 'View all 6 payments' }))
  await isAt(`/admin/payment/history/${tenant.userId}`)
  expect(window.history.state).toMatchObject({ tenantId: tenant.userId, tenantName: 'Maya Rivers' })
})

test('an amount can be transferred to another application of the tenant that has a balance due [ADMAPP-38, ADMAPP-39, ADMAPP-40, ADMAPP-41, ADMAPP-42, ADMAPP-43]', async () => {
  const tenant = await site.app.makeTenant()
  const [from, owing, owingNothing] = [await booked(tenant), await booked(tenant), await booked(tenant)]
  await owing.generate(1000, 500)
  await open(from.id)
  await payments().findByText('No payments found')
  for (const name of ['Transfer Amount', 'Give money back'])
    expect(payments().queryByRole('button', { name })).toBeNull()
  await owner().payments.addManual(buildManualPayment(from.id, { amount: 700_00 }))
  await owner().payments.addManual({
    ...buildManualPayment(from.id, { amount: 50_00 }),
    paymentType: 'deposit',
  })
  const { user } = await open(from.id)
  await user.click(await screen.findByRole('button', { name: 'Transfer Amount' }))
  const dialog = await openDialog()
  await dialog.findByLabelText(/^Destination application/)
  expect(dialog.options('Destination application')).toEqual([
    'Select an application',
    `${owing.applicationNumber}, $1,500.00 owed`,
  ])
  expect(dialog.element.textContent).not.toContain(owingNothing.applicationNumber)
  const transfer = () => user.click(dialog.getByRole('button', { name: 'Transfer' }))
  await transfer()
  const missing = 'Please select destination application and enter amount'
  await waitFor(() => expect(dialog.getAllByText(missing)).toHaveLength(2))
  fill({ 'Destination application': owing.id }, dialog)
  expect(dialog.element.textContent).toContain('Up to $750.00 was paid')
  fill({ 'What to move': 'deposit' }, dialog)
  expect(dialog.element.textContent).toMatch(/Up to \$50\.00 was paid on \S+ as deposit\./)
  const [everything] = dialog.getByLabelText<HTMLSelectElement>(/^What to move/).options
  fill({ 'What to move': everything?.value ?? '', Amount: '750.01', Notes: 'As agreed' }, dialog)
  await transfer()
  await says('Transfer failed')
  await dialog.findByText(/^At most \$750\.00 can be transferred/)
  const sent = recordInputs('payments.transfer')
  fill({ Amount: '250.25' }, dialog)
  await transfer()
  await says('Transfer completed successfully!')
  expect(sent).toEqual([
    {
      fromApplicationId: from.id,
      toApplicationId: owing.id,
      depositAmount: 250_25,
      transferNotes: 'As agreed',
      requestId: expect.any(String),
    },
  ])
  await waitFor(() =>
    expect(rows().filter(row => row?.includes('Admin Transfer'))).toEqual([
      expect.stringContaining('−$250.25'),
    ]),
  )
  await waitFor(() => expect(region().textContent).toContain('Paid−$499.75'))
})

test('a deduction from the deposit requires a reason, and a receipt can be sent on request', async () => {
  const tenant = await site.app.makeTenant({ email: 'maya@guest.example' })
  const { id } = await booked(tenant)
  await owner().payments.addManual({
    ...buildManualPayment(id, { amount: 500_00 }),
    paymentType: 'deposit',
  })
  const { choose, press, user } = await open(id)
  await choose('Send receipt')
  await says('Receipt is on its way')
  expect(screen.getByLabelText('Notifications').textContent).toContain('maya@guest.example')
  await press('Give money back')
  const first = await openDialog()
  fill({ 'What it is': 'deduction' }, first)
  fill({ Amount: '75' }, first)
  await user.click(first.getByRole('button', { name: 'Save' }))
  await first.findByText('Please say what the deduction is for')
  fill({ 'What the deduction is for': 'Broken lamp' }, first)
  await user.click(first.getByRole('button', { name: 'Save' }))
  await says('Deduction recorded')
  await waitFor(() =>
    expect(rows().filter(row => row?.includes('Deposit deduction'))).toEqual([
      expect.stringContaining('Broken lamp'),
    ]),
  )

  await press('Give money back')
  const second = await openDialog()
  await second.findByText('$425.00 is not kept.')
  fill({ 'What it is': 'deposit_return' }, second)
  await second.findByText('$425.00 is left of the deposit.')
  fill({ Amount: '425.01' }, second)
  await user.click(second.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(second.getByRole('alert').textContent).toContain('Only $425.00 is left of the deposit.'),
  )
})
