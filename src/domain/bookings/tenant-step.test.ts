import { describe, expect, test } from 'vitest'
import { completeSentence, leadingStep, type OutstandingBalance, tenantStep } from './tenant-step.ts'

const app = (source: Partial<Parameters<typeof tenantStep>[0]>) => ({
  status: 'approved',
  leaseGenerated: false,
  leaseSigned: false,
  paymentReceived: false,
  ...source,
})
const toSign = { leaseGenerated: true }
const signed = { leaseGenerated: true, leaseSigned: true }
const settled = { ...signed, paymentReceived: true }
const outstanding = (balanceCents: number, rest: Partial<OutstandingBalance> = {}): OutstandingBalance => ({
  balanceCents,
  ...rest,
})
const installment = { label: 'Payment 3 of 3', amountCents: 216_648, dueDate: '2026-11-14' }

describe('the next step of a tenant', () => {
  test.each([
    [{ status: 'draft' }, undefined, 'submit', 'Submit your application'],
    [{ status: 'pending' }, outstanding(0), 'wait', 'We are reviewing your application'],
    [{ status: 'rejected' }, outstanding(5), 'declined', 'Application declined'],
    [{}, undefined, 'wait', 'We are preparing your lease'],
    [{}, outstanding(150_00), 'pay', 'Pay $150.00'],
    [toSign, outstanding(238_500), 'sign', 'Sign your lease'],
    [signed, outstanding(238_500), 'pay', 'Pay $2,385.00'],
    [signed, undefined, 'pay', 'Make your payment'],
    [signed, outstanding(238_500, { onItsWayCents: 238_500 }), 'wait', 'Your payment is on its way'],
    [settled, outstanding(100), 'pay', 'Pay $1.00'],
    [settled, outstanding(-100), 'wait', 'Pending Admin Verification'],
    [{ ...settled, status: 'completed' }, outstanding(0), 'done', 'Booking Complete'],
    [{ ...settled, status: 'completed' }, outstanding(700), 'pay', 'Pay $7.00'],
  ] as const)('for %o with %o is to %s: %s [LOOK-21]', (source, open, kind, title) => {
    expect(tenantStep(app(source), open)).toMatchObject({ kind, title })
  })

  test('is none for an unknown status [LOOK-21]', () => {
    expect(tenantStep(app({ status: 'archived' }))).toBeUndefined()
  })

  test('is the next payment of the plan [LOOK-21]', () => {
    const step = (next: NonNullable<OutstandingBalance['pay']>['next']) =>
      tenantStep(app(settled), outstanding(433_296, { pay: { next }, onItsWayCents: 10_000 }), '2026-11-14')
    expect(step(installment)).toEqual({
      kind: 'pay',
      title: 'Pay $2,166.48',
      text: 'Payment 3 of 3 is due on Nov 14, 2026.',
    })
    expect(step({ ...installment, dueDate: '2026-11-13' })).toEqual({
      kind: 'pay',
      title: 'Overdue by 1 day: $2,166.48',
      text: 'Payment 3 of 3 was due on Nov 13, 2026.',
      isOverdue: true,
    })
    expect(step({ ...installment, dueDate: '2026-11-06' })?.title).toBe('Overdue by 8 days: $2,166.48')
    expect(step({ ...installment, dueDate: null })?.text).toBe('Payment 3 of 3.')
    expect(step(null)?.title).toBe('Your payment is on its way')
  })

  test('for several applications is to sign, then to pay, then to wait for the newest one [LOOK-21]', () => {
    const [waiting, paying, signing] = [app({ status: 'pending' }), app(signed), app(toSign)]
    const lead = (list: ReturnType<typeof app>[]) => leadingStep(list, () => outstanding(100))?.step.kind
    expect(lead([waiting, paying, signing])).toBe('sign')
    expect(lead([waiting, paying])).toBe('pay')
    expect(lead([app({ status: 'rejected' }), waiting])).toBe('wait')
    expect(lead([app({ status: 'rejected' })])).toBeUndefined()
  })
})

test.each([
  [settled, 'before', false, 'Everything is settled. We look forward to your stay.'],
  [settled, 'before', true, 'Your stay is confirmed. Part of it is still to be paid.'],
  [{}, 'before', false, 'Your stay is confirmed. We have no signed lease and no payment on record.'],
  [signed, 'before', false, 'Your stay is confirmed. We have no payment on record.'],
  [{ paymentReceived: true }, 'during', false, 'Enjoy your stay. We have no signed lease on record.'],
  [settled, 'during', false, 'Everything is settled. Enjoy your stay.'],
  [{}, 'after', false, 'Your stay is over. Thank you for being our guest.'],
] as const)(
  'shows the sentence for a complete booking with %o, %s the stay, balance due: %s [LOOK-46, LOOK-05]',
  (source, phase, owes, sentence) => {
    expect(completeSentence(app({ ...source, status: 'completed' }), phase, owes)).toBe(sentence)
  },
)
