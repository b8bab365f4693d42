// @vitest-environment dom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { depositApp } from '../../../../testing/build-deposit.ts'
import {
  appOfFile,
  changeAnswer,
  fill,
  onCall,
  openScreen,
  press,
  recordInputs,
  refusal,
  says,
} from '../../../../testing/component.tsx'

type Made = Awaited<ReturnType<typeof depositApp>>
const site = appOfFile<Made['app'] & { made: Made }>(undefined, async () => {
  const made = await depositApp({ ruleId: 'florida' })
  return Object.assign(made.app, { made })
})
const card = () => screen.getByRole('region', { name: 'Security Deposit' })
const status = () => screen.getByRole('region', { name: 'Application Status' })
const inCard = (name: string) => within(card()).queryByRole('button', { name })
const open = async () => {
  const { admin, id } = site.app.made
  await openScreen(site.app, `/admin/application/${id}`, admin)
  await screen.findByRole('region', { name: 'Payment Information' })
}

test('a deposit that could not be loaded says so on its card, and comes with Try Again [DEP-01]', async () => {
  onCall('deposits.get', () => refusal({ status: 500 }))
  await open()
  await says('Failed to load the deposit')
  changeAnswer('deposits.get', () => {})
  await press('Try Again', within(card()))
  await waitFor(() => expect(card().textContent).toContain('Held$500.00'))
})

test('a statement of a declined application that is approved after all is shown to count no more, and day and rule can be edited again [DEP-04, DEP-21]', async () => {
  const { addItem, id, owner, sendStatement } = site.app.made
  const setStatus = (status: 'approved' | 'rejected') => owner().applications.adminSetStatus({ id, status })
  await setStatus('rejected')
  const { itemId } = await addItem(50_00)
  await sendStatement({ emailAgreed: true })
  await open()
  expect(card().textContent).not.toContain('It counts no more.')
  expect(inCard('Edit the day and the rule')).toBeNull()
  cleanup()
  await setStatus('approved')
  await open()
  expect(card().textContent).toContain('It counts no more.')
  expect(inCard('Edit the day and the rule')).not.toBeNull()
  await owner().deposits.removeItem({ itemId })
})

test('the dialog that returns a deposit leads to the item that keeps a part [LOOK-82, DEP-29]', async () => {
  await open()
  await press('Return $500.00', within(card()))
  await screen.findByRole('dialog', { name: 'Return the deposit to Maya Rivers' })
  await press('Keep a part')
  await screen.findByRole('dialog', { name: 'Add item' })
})

test('an empty amount is an error at the field; a server error for a field that is not shown appears above the form [LOOK-82, DEP-29]', async () => {
  const returned = recordInputs('deposits.return')
  await open()
  await press('Return $500.00', within(card()))
  const dialog = within(screen.getByRole('dialog'))
  const send = await dialog.findByRole<HTMLButtonElement>('button', { name: 'Return $515.00' })
  for (const [typed, message] of [
    ['', 'Please enter an amount'],
    ['0', 'Please enter an amount'],
    ['600', 'Only $500.00 is left of the deposit.'],
  ] as const) {
    fill({ Amount: typed }, dialog)
    await dialog.findByText(message)
    expect([send.disabled, send.textContent]).toEqual([true, 'Return'])
    if (typed !== '600') fireEvent.submit(send.form as HTMLFormElement)
  }
  fill({ Amount: '500' }, dialog)
  await dialog.findByRole('button', { name: 'Return $515.00' })
  expect(returned).toEqual([])
  const message = 'Please choose a day'
  onCall('deposits.return', () => refusal({ message, fields: { hand: message } }))
  await press('Return $515.00', dialog)
  expect((await dialog.findByRole('alert')).textContent).toBe(message)
})

test('by post the letter is printed first, and the statement is sent with it and its tracking number; card and dialog say that the rule is a preset [EVID-27, EVID-28, DEP-22]', async () => {
  await open()
  expect(inCard('Send statement')).toBeNull()
  await press('Add item', within(card()))
  await screen.findByRole('dialog')
  fill({ 'What it is': 'cleaning', Amount: '120', Label: 'Oven' }, within(screen.getByRole('dialog')))
  await press('Add item', within(screen.getByRole('dialog')))
  await says('Item added')
  await press('Print the letter', within(status()))
  expect(inCard('Print the letter')).toBeNull()
  const address = await screen.findByLabelText<HTMLTextAreaElement>(/^Address/)
  for (const place of [card(), screen.getByRole('dialog')])
    expect(place.textContent).toContain(
      'A preset, not reviewed by a lawyer. Days and words are yours to check.',
    )
  expect(address.value).toBe('Maya Rivers\n12 Pine Street\nMobile, AL 36602')
  await press('Print the letter', within(screen.getByRole('dialog')))
  await says('Letter ready')
  await waitFor(() => expect(card().textContent).toContain('Letter 1'))
  const sent = recordInputs('deposits.sendStatement')
  await press('Send statement', within(status()))
  await screen.findByLabelText(/^Tracking number/)
  fill({ 'Tracking number': '9407', 'Sent on': '2026-07-01' }, within(screen.getByRole('dialog')))
  await press('Send statement', within(screen.getByRole('dialog')))
  await says('Statement sent')
  expect(sent).toEqual([
    expect.objectContaining({
      how: 'post',
      trackingNumber: '9407',
      sentOn: '2026-07-01',
      late: false,
      emailAgreed: false,
      letterId: (await site.app.made.deposit()).letters[0]?.id,
    }),
  ])
  await waitFor(() => expect(card().textContent).toContain('The tenant can object until'))
  for (const name of ['Keep $120.00', 'Send statement', 'Edit the day and the rule', 'Void letter 1'])
    expect(inCard(name), name).toBeNull()
})

test('the last day to object is shown once', async () => {
  changeAnswer('applications.adminGet', data =>
    Object.assign(data.application as object, {
      nextStep: { kind: 'return_deposit', amountCents: 380_00, date: null, waitsFor: null },
    }),
  )
  await open()
  await waitFor(() => expect(status().textContent).toContain('The tenant can object until'))
  expect(card().textContent).not.toContain('The tenant can object until')
  changeAnswer('applications.adminGet', () => {})
})

test('a missed date names neither the tenant nor the number of the page', async () => {
  changeAnswer('deposits.get', data => {
    const deposit = data.deposit as { applicationNumber: string; attention: object }
    const title = 'Maya Rivers’s deposit: the rest was to be returned by Jul 16, 2026'
    const detail = `${deposit.applicationNumber}. Return the rest now.`
    deposit.attention = { tone: 'danger', title, detail }
  })
  await open()
  const title = await within(card()).findByText(/^The rest was to be returned by Jul.16, 2026$/)
  expect(title.nextElementSibling?.textContent).toBe('Return the rest now.')
  changeAnswer('deposits.get', () => {})
})

test('a deposit that went back is folded behind its outcome', async () => {
  changeAnswer('deposits.get', data =>
    Object.assign(data.deposit as object, {
      state: 'closed',
      shortCents: 0,
      returnedCents: 500_00,
      movedCents: 0,
      keptCents: 0,
    }),
  )
  await open()
  const summary = within(card()).getByText('Returned $500.00')
  expect(summary.closest('details')?.open).toBe(false)
  changeAnswer('deposits.get', () => {})
})

test('after a refusal the dialog that keeps items shows them as they are now', async () => {
  const answer = (claimedCents: number) =>
    changeAnswer('deposits.get', data =>
      Object.assign(
        data.deposit as object,
        { claimedCents, state: 'claimed', objectionUntil: '2026-01-01' },
        {
          statements: ((data.deposit as { statements: object[] }).statements ?? []).map(each => ({
            ...each,
            claimedCents,
          })),
        },
      ),
    )
  answer(120_00)
  await open()
  await press('Keep $120.00')
  await screen.findByRole('dialog', { name: 'Keep $120.00?' })
  answer(90_00)
  onCall('deposits.keep', () => refusal({ status: 409, message: 'The items have changed.' }))
  await press('Keep $120.00', within(screen.getByRole('dialog')))
  await screen.findByRole('dialog', { name: 'Keep $90.00?' })
})

test('while deposits are watched nothing is kept beside the card, and a refund of a deposit asks what it is [DEP-07, DEP-45]', async () => {
  await open()
  await press('Give money back')
  const kinds = await screen.findByLabelText<HTMLSelectElement>(/^What it is/)
  expect([...kinds.options].map(({ value }) => value)).toEqual(['refund', 'deposit_return'])
  await press('Cancel', within(screen.getByRole('dialog')))

  const refunds = recordInputs('payments.refund')
  await press('Actions for Deposit of $500.00')
  await waitFor(() => screen.getByRole('menuitem', { name: 'Refund to card' }).click())
  const back = await screen.findByLabelText<HTMLInputElement>('It goes back to the tenant')
  expect(back.checked).toBe(true)
  screen.getByLabelText('Correction: the deposit is owed again').click()
  await press('Refund', within(screen.getByRole('dialog')))
  await press('Refund $515.00')
  await waitFor(() => expect(refunds).toEqual([expect.objectContaining({ purpose: 'refund' })]))
})
