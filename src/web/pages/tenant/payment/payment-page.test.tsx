// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildManualPayment, type PaymentApp, paymentApp } from '../../../../testing/build-payment.ts'
import {
  appOfFile,
  button,
  changeAnswer,
  fill,
  onCall,
  openScreen,
  recordInputs,
  refusal,
} from '../../../../testing/component.tsx'

const site = appOfFile<PaymentApp>({}, paymentApp)

const textOf = (name: string) => screen.getByRole('region', { name }).textContent
const type = (name: RegExp) => screen.getByRole<HTMLInputElement>('radio', { name })
const amount = () => screen.getByLabelText<HTMLInputElement>(/^Custom amount/)
const proceed = () => screen.getByRole('button', { name: /^Proceed to Payment/ })
const toasts = () => screen.getByLabelText('Notifications').textContent

/** Opens the page as a new tenant with an unpaid lease. */
async function openPayment(overrides: Parameters<PaymentApp['makeApplication']>[1] = {}) {
  const tenant = await site.app.makeTenant()
  const application = await site.app.makeApplication(tenant, overrides)
  const open = () => openScreen(site.app, `/payment?applicationId=${application.id}`, tenant)
  return { tenant, application, open }
}

test('rent offers the balance first and preselected, smaller quick amounts and a custom amount [PAY-06, PAY-07, PAY-08, PAY-09, PAY-11, LOOK-26]', async () => {
  const little = await openPayment({ rentCents: 1600_00, totalCents: 2100_00 })
  await (await little.open()).user.click(await screen.findByRole('radio', { name: /^Rent/ }))
  expect(screen.getByRole('group', { name: 'Quick amounts' }).textContent).toBe(
    'Quick amountsBalance without the deposit $1,600.00$1,000.00$1,500.00',
  )
  const { open } = await openPayment({ rentCents: 3600_50, totalCents: 4100_50 })
  const { user } = await open()
  const sent = recordInputs('payments.createCheckoutSession')
  await user.click(await screen.findByRole('radio', { name: /^Rent/ }))
  const quick = within(screen.getByRole('group', { name: 'Quick amounts' })).getAllByRole('button')
  const names = [1000, 1500, 2000, 2500, 3000, 3500].map(dollars => `$${dollars.toLocaleString('en-US')}.00`)
  // The $500.00 deposit is paid separately.
  expect(quick.map(each => each.textContent)).toEqual(['Balance without the deposit $3,600.50', ...names])
  expect(quick[0]?.getAttribute('aria-pressed')).toBe('true')
  expect(textOf('Summary')).toBe('Amount$3,600.50Card fee$108.02Total$3,708.52')
  for (const [index, name] of names.entries()) {
    await user.click(button(name))
    expect(amount().value).toBe(String(1000 + index * 500))
    expect(textOf('Summary')).toContain(`Card fee$${30 + index * 15}.00`)
    expect(quick.map(each => each.getAttribute('aria-pressed')).indexOf('true')).toBe(index + 1)
  }
  expect([amount().min, amount().step]).toEqual(['1', '0.01'])

  for (const wrong of ['', '0', '-5', '0.99', '10.005']) {
    fill({ 'Custom amount': '7' })
    fill({ 'Custom amount': wrong })
    await user.click(proceed())
    await screen.findByText('Please enter a valid amount')
    expect(document.activeElement).toBe(amount())
  }
  for (const [text, reason] of [
    ['', 'Enter an amount to see the total.'],
    ['2000000', 'At most $970,873.77'],
  ] as const) {
    fill({ 'Custom amount': text })
    expect(textOf('Summary')).toBe(`Amount–Card fee–Total–${reason}`)
  }
  await user.click(proceed())
  await waitFor(() => expect(amount().getAttribute('aria-invalid')).toBe('true'))
  expect(sent).toEqual([])
  fill({ 'Custom amount': '1' })
  expect(screen.queryByText('Please enter a valid amount')).toBeNull()
  expect(textOf('Summary')).toBe('Amount$1.00Card fee$0.03Total$1.03')
})

test('deposit and rent are offered in one payment first, and each below [LOOK-80]', async () => {
  const { application, open } = await openPayment({ rentCents: 2500_17, totalCents: 3000_17 })
  const { user } = await open()
  const radios = await screen.findAllByRole<HTMLInputElement>('radio')
  expect(radios.map(({ checked, value }) => [value, checked])).toEqual([
    ['both', true],
    ['deposit', false],
    ['rent', false],
  ])
  expect(textOf('Payment')).toContain(
    'Deposit and rent$3,000.17 in one paymentDeposit $500.00, rent $2,500.17',
  )
  expect(textOf('Summary')).toBe('Deposit$500.00Rent$2,500.17Card fee$90.01Total$3,090.18')
  const sent: unknown[] = []
  onCall('payments.createCheckoutSession', (_, input) => {
    sent.push(input)
    return refusal({ status: 409, message: 'Please try again.' })
  })
  await user.click(proceed())
  await screen.findByText('Please try again.')
  await user.click(type(/^Deposit \$/))
  expect(textOf('Summary')).toBe('Amount$500.00Card fee$15.00Total$515.00')
  await user.click(proceed())
  await waitFor(() => expect(sent).toHaveLength(2))
  const { id: applicationId } = application
  expect(sent).toMatchObject([
    {
      amount: 500_00,
      creditCardFee: 15_00,
      paymentType: 'deposit',
      applicationId,
      rent: { amount: 2500_17, creditCardFee: 75_01 },
      totalAmount: 3090_18,
    },
    { amount: 500_00, creditCardFee: 15_00, paymentType: 'deposit', totalAmount: 515_00 },
  ])
  expect(sent[1]).not.toHaveProperty('rent')
})

test.each([
  [{ status: 409, message: 'The security deposit has already been paid.' }, 'has already been paid.'],
  [{ status: 500 }, 'Failed to create checkout session'],
  ['no answer', 'Payment failed'],
] as const)(
  'a checkout that fails with %j shows the reason once [PAY-20, PAY-21, TOAST-06, LOOK-77]',
  async (failure, text) => {
    const { open } = await openPayment()
    const { user } = await open()
    await screen.findByRole('radio', { name: /^Deposit and rent/ })
    onCall('payments.createCheckoutSession', () => {
      if (failure === 'no answer') throw new TypeError('Failed to fetch')
      return refusal(failure)
    })
    await user.click(proceed())
    await waitFor(() => expect(textOf('Payment')).toContain(text))
    expect(toasts()).toBe('')
    expect(proceed().hasAttribute('disabled')).toBe(false)
  },
)

test('the deposit of an accepted offer is chosen alone, with its day and that of the rest [CLAIM-26]', async () => {
  const { open } = await openPayment()
  const waiting = { kind: 'deposit', claimId: 'a', depositCents: 500_00, until: '2026-03-07' }
  changeAnswer('applications.get', ({ application }) =>
    Object.assign(application as object, {
      status: 'approved',
      leaseGenerated: true,
      leaseSigned: true,
      waiting,
    }),
  )
  await open()
  await screen.findByText('Pay the $500.00 deposit')
  screen.getByText(/^Please pay it by Mar\s7, 2026\./)
  expect(screen.getByRole<HTMLInputElement>('radio', { checked: true }).value).toBe('deposit')
})

test('an overpayment confirmed for one application is asked about again for another [LOOK-37]', async () => {
  const tenant = await site.app.makeTenant()
  const ids = [await site.app.makeApplication(tenant), await site.app.makeApplication(tenant)].map(
    ({ id }) => id,
  )
  const { user } = await openScreen(site.app, '/payment', tenant)
  onCall('payments.createCheckoutSession', () => refusal({ status: 409, message: 'Please try again.' }))
  for (const id of ids) {
    await user.selectOptions(await screen.findByLabelText(/^For which/), id)
    await user.click(await screen.findByRole('radio', { name: /^Rent/ }))
    fill({ 'Custom amount': '5200' })
    await user.click(proceed())
    await screen.findByRole('alertdialog', { name: 'Pay $5,200.00?' })
    await user.click(button('Pay $5,200.00'))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await waitFor(() => expect(textOf('Payment')).toContain('Please try again.'))
  }
})

test('the newest active application is preselected; without one the payment is sent without one [PAY-16]', async () => {
  const tenant = await site.app.makeTenant()
  const { user } = await openScreen(site.app, '/payment', tenant)
  await screen.findByText(/You have no application yet/)
  const sent: unknown[] = []
  onCall('payments.createCheckoutSession', (_, input) => {
    sent.push(input)
    return refusal({ status: 409, message: 'Not now.' })
  })
  await user.click(proceed())
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ amount: 500_00, creditCardFee: 15_00, totalAmount: 515_00 })
  expect(sent[0]).not.toHaveProperty('applicationId')
})

test('the rest of a deposit is offered, a returned one is not, and nothing once everything is paid [FIX-06, FIX-07, LOOK-36, CHG-30]', async () => {
  const admin = site.app.as(await site.app.makeAdmin())
  const { application, open } = await openPayment({ depositCents: 800_00, totalCents: 3300_00 })
  const pay = async (paymentType: 'deposit' | 'rent', cents: number) =>
    admin.payments.addManual({ ...buildManualPayment(application.id), paymentType, amount: cents })
  await pay('deposit', 500_00)
  await open()
  await screen.findByText('What is left to pay of the security deposit of $800.00.')
  expect(textOf('Summary')).toBe('Deposit$300.00Rent$2,500.00Card fee$84.00Total$2,884.00')
  await pay('deposit', 300_00)
  const returned = { kind: 'deposit_return', amount: 100_00, reason: 'A broken chair' } as const
  await admin.payments.recordReturn({ applicationId: application.id, ...returned })
  await open()
  await screen.findByText('Paid already')
  expect([type(/^Deposit/).disabled, type(/^Rent/).checked]).toEqual([true, true])
  await admin.payments.recordReturn({ applicationId: application.id, ...returned, amount: 700_00 })
  await open()
  await screen.findByText('Returned', { selector: 'label *' })
  await pay('rent', 2500_00)
  await open()
  await screen.findByText('Paid in full')
  expect(screen.queryByRole('radio')).toBeNull()
  expect(screen.queryByRole('button', { name: /^Proceed/ })).toBeNull()
  expect(screen.queryByRole('region', { name: 'Other ways to pay' })).toBeNull()
  expect(
    within(screen.getByRole('region', { name: 'Payment history' })).getAllByRole('listitem'),
  ).toHaveLength(5)
})

test('the history shows the payments of the selected application, or of all applications [PAY-03, PAY-15]', async () => {
  const admin = site.app.as(await site.app.makeAdmin())
  const { tenant, application, open } = await openPayment()
  const other = await site.app.makeApplication(tenant)
  for (const [id, cents] of [
    [application.id, 700_00],
    [other.id, 800_00],
  ] as const)
    await admin.payments.addManual(buildManualPayment(id, { amount: cents }))
  await open()
  await waitFor(() => expect(textOf('Payment history')).toMatch(/Rent.*\$700\.00Paid/))
  expect(textOf('Payment history')).not.toContain('$800.00')
  expect(screen.queryByLabelText(/^For which/)).toBeNull()
  await openScreen(site.app, '/payment', tenant)
  await waitFor(() => expect(textOf('Payment history')).toContain('$800.00'))
  const choice = await screen.findByLabelText<HTMLSelectElement>('For which booking?')
  expect([...choice.options].map(({ value }) => value).toSorted()).toEqual(
    [application.id, other.id].toSorted(),
  )
})

test('nothing can be paid for a declined application [PAY-28]', async () => {
  const { tenant, application } = await openPayment({ status: 'rejected' })
  await openScreen(site.app, `/payment?applicationId=${application.id}`, tenant)
  await screen.findByText('Nothing can be paid for this application')
  expect(screen.queryByRole('button', { name: /^Proceed/ })).toBeNull()
})

test('without a card provider the page shows a note and the ways to pay without a fee [PAY-13, PAY-26]', async () => {
  changeAnswer('payments.options', data => {
    data.cardPayments = false
  })
  await openScreen(site.app, '/payment', await site.app.makeTenant())
  await screen.findByText('Card payments are not set up')
  expect(screen.queryByRole('button', { name: /^Proceed/ })).toBeNull()
  const ways = await screen.findByRole('region', { name: 'Other ways to pay' })
  await within(ways).findByText('Zelle')
  const names = ['Zelle', 'Venmo', 'Money order', 'Wire transfer', 'Stablecoin (USDC)', 'Check']
  const rows = [...ways.querySelectorAll('details:not([open]) > summary')]
  expect(rows.map(({ textContent }) => textContent)).toEqual(names)
  expect(ways.textContent).not.toMatch(/[{}]/)
})

test('a bank account comes first, and each way has a button with its amount [LOOK-88]', async () => {
  await site.app.offerBank()
  const { open } = await openPayment()
  await open()
  await screen.findByRole('region', { name: 'From a bank account' })
  const names = within(screen.getByRole('region', { name: 'Payment' }))
    .getAllByRole('button', { name: /\$/ })
    .map(({ textContent }) => textContent)
  expect(names).toEqual(['Pay $3,000.00 from a bank account', 'Proceed to Payment · $3,090.00'])
})

test('before the approval nothing is owed, and the page says so without a primary button [PAY-08, LOOK-36]', async () => {
  const { open } = await openPayment()
  const balance = { label: 'Nothing owed yet', balanceCents: 0, amountCents: 0 }
  changeAnswer('payments.options', ({ applications }) => {
    for (const each of applications as object[]) Object.assign(each, { status: 'pending', balance })
  })
  await open()
  await screen.findByText('Nothing is owed until we have approved. You can pay ahead.')
  expect(proceed().className).not.toContain('bg-navy ')
})

test('the history says how much of what is owed is overdue, and since when', async () => {
  const { application, tenant } = await openPayment()
  changeAnswer('plans.show', data => {
    data.instalments = [
      { openCents: 500_00, dueDate: '2026-02-01', state: 'overdue' },
      { openCents: 1000_00, dueDate: '2026-03-01', state: 'overdue' },
      { openCents: 1500_00, dueDate: '2026-04-01', state: 'upcoming' },
    ]
  })
  await openScreen(site.app, `/payment/history?applicationId=${application.id}`, tenant)
  await screen.findByText('$1,500.00 overdue since Feb 1, 2026')
  expect(screen.getByText('$3,000.00').className).toContain('text-red')
})

test('without a plan, the rest is due before the first day, on both screens', async () => {
  const { application, open, tenant } = await openPayment()
  changeAnswer('payments.options', ({ applications }) => {
    for (const each of applications as object[])
      Object.assign(each, { startDate: '2031-06-01', depositDueCents: 0 })
  })
  await open()
  await screen.findByText('Amount owed, due before Jun 1, 2031')
  await openScreen(site.app, `/payment/history?applicationId=${application.id}`, tenant)
  await screen.findByText('due before Jun 1, 2031')
})

test('without a plan, both screens say how much of deposit and rent is due before the first day', async () => {
  const { application, open, tenant } = await openPayment()
  changeAnswer('payments.options', ({ applications }) => {
    for (const each of applications as object[]) Object.assign(each, { startDate: '2031-06-01' })
  })
  await open()
  await screen.findByText('Amount owed, $2,500.00 of it before Jun 1, 2031')
  await openScreen(site.app, `/payment/history?applicationId=${application.id}`, tenant)
  await screen.findByText('$2,500.00 of it before Jun 1, 2031')
  changeAnswer('payments.options', ({ applications }) => {
    const open = { depositCents: 0, rentCents: 250_000 }
    for (const each of applications as object[])
      Object.assign(each, { startDate: '2031-06-01', onItsWayCents: 50_000, open })
  })
  await openScreen(site.app, `/payment/history?applicationId=${application.id}`, tenant)
  await screen.findByText('$2,500.00 of it before Jun 1, 2031')
})

test('the history of two bookings that owe shows their sum without what is overdue of one', async () => {
  const { tenant } = await openPayment()
  await site.app.makeApplication(tenant)
  changeAnswer('plans.show', data => {
    data.instalments = [{ openCents: 1000_00, dueDate: '2026-02-01', state: 'overdue' }]
  })
  await openScreen(site.app, '/payment/history', tenant)
  await screen.findByText('$6,000.00')
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(document.body.textContent).not.toContain('overdue since')
})
