import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applicationStatuses } from './application-status.ts'
import { isOwnersStep, type NextStepSource, nextStep, nextStepLabel } from './next-step.ts'

const today = '2026-12-10'
const signed: NextStepSource = {
  status: 'approved',
  lease: { isSigned: true },
  stay: { start: '2027-01-03', end: '2027-02-02' },
  owedCents: 238_500,
  balanceCents: 0,
  onItsWayCents: 0,
  overdueCents: 0,
  depositOpenCents: 0,
  depositFreeCents: 0,
  toReturnCents: 0,
}
const next = { amountCents: 245_000, dueDate: '2027-08-02' }
const claim = (kind: 'send_statement' | 'keep_deposit' | 'decide_claim') => ({ kind, amountCents: 12_000 })
const labelOf = (change: Partial<NextStepSource>) => {
  const step = nextStep({ ...signed, ...change }, today)
  return step && nextStepLabel(step)
}
const over = { start: '2026-11-10', end: today }
const far = { start: '2027-08-09', end: '2027-08-19' }

test.each<[string | null, Partial<NextStepSource>]>([
  ['Decide', { status: 'pending', lease: null }],
  ['Decide', { status: 'pending', lease: null, stay: over }],
  ['Generate lease', { lease: null }],
  ['Generate lease', { status: 'completed', lease: null }],
  [null, { status: 'completed', lease: null, withoutLease: true }],
  [null, { status: 'completed', lease: null, stay: over }],
  ['Waiting for signature', { status: 'completed', lease: { isSigned: false } }],
  ['Confirm booking', { lease: null, withoutLease: true }],
  ['Confirm booking', { lease: null, withoutLease: true, owedCents: 0, balanceCents: -100 }],
  ['Waiting for signature', { lease: { isSigned: false }, balanceCents: 238_500 }],
  ['$2,385.00 owed', { balanceCents: 238_500 }],
  ['Waiting for Theo Reyes', { lease: { isSigned: false, waitsFor: 'Theo Reyes' } }],
  ['$2,450.00 due Aug 2, 2027', { balanceCents: 547_167, plan: { dueCents: 0, next } }],
  ['$1,755.00 due before arrival', { stay: far, balanceCents: 200_000, onItsWayCents: 24_500 }],
  ['$1,755.00 owed', { stay: far, balanceCents: 175_500, depositOpenCents: 50_000 }],
  ['$1,755.00 owed', { stay: { ...far, start: '2027-01-09' }, balanceCents: 175_500 }],
  ['$1,000.00 owed', { balanceCents: 547_167, plan: { dueCents: 100_000, next } }],
  ['$5,471.67 on its way', { balanceCents: 547_167, onItsWayCents: 547_167, plan: { dueCents: 0, next } }],
  ['$1,000.00 overdue', { balanceCents: 238_500, overdueCents: 100_000 }],
  ['$385.00 owed', { balanceCents: 238_500, onItsWayCents: 200_000 }],
  ['$2,385.00 on its way', { balanceCents: 238_500, onItsWayCents: 250_000 }],
  ['$10.00 overpaid', { balanceCents: -1000 }],
  ['Confirm booking', { depositFreeCents: 50_000 }],
  ['Complete', { stay: { start: today, end: '2027-01-01' } }],
  ['Complete', { lease: null, stay: over }],
  ['Complete', { lease: null, stay: over, owedCents: 0, balanceCents: -100 }],
  ['$20.00 owed', { status: 'completed', balanceCents: 2000 }],
  ['$20.00 overpaid', { status: 'completed', balanceCents: -2000 }],
  [null, { status: 'completed', depositFreeCents: 50_000 }],
  ['Return $500.00 deposit', { status: 'completed', depositFreeCents: 50_000, stay: over }],
  ['Return $500.00 deposit', { depositFreeCents: 50_000, stay: over }],
  [null, { status: 'completed', stay: over }],
  ['Send statement for $120.00', { stay: over, claim: claim('send_statement'), depositFreeCents: 38_000 }],
  ['Send statement for $120.00', { claim: claim('send_statement'), overdueCents: 12_000 }],
  ['Keep $120.00', { status: 'completed', stay: over, claim: claim('keep_deposit') }],
  ['Keep $120.00', { status: 'cancelled', claim: claim('keep_deposit') }],
  ['Return $380.00 deposit', { stay: over, claim: claim('keep_deposit'), depositFreeCents: 38_000 }],
  ['Return $380.00 deposit', { claim: claim('keep_deposit'), depositFreeCents: 38_000 }],
  // A debt before a return.
  [
    '$500.00 overdue',
    { stay: over, claim: claim('keep_deposit'), depositFreeCents: 38_000, overdueCents: 50_000 },
  ],
  ['Decide the claim of $120.00', { stay: over, claim: claim('decide_claim') }],
  ['Return $380.00 deposit', { stay: over, claim: claim('decide_claim'), depositFreeCents: 38_000 }],
  ['Answer the request to cancel', { asksToCancel: true, overdueCents: 12_000 }],
  [null, { status: 'completed', depositFreeCents: 0, stay: over }],
  [null, { status: 'rejected', balanceCents: -2000 }],
  ['Return $500.00', { status: 'rejected', balanceCents: 61_000, toReturnCents: 50_000 }],
  ['Return $787.50', { status: 'cancelled', toReturnCents: 78_750 }],
  [null, { status: 'cancelled' }],
  [null, { status: 'draft' }],
])('the next step is %s [LOOK-17, LOOK-63]', (label, change) => {
  expect(labelOf(change)).toBe(label)
})

test("a step is the owner's only if it does not wait for the guest [LOOK-17]", () => {
  const isOwners = (change: Partial<NextStepSource>) => {
    const step = nextStep({ ...signed, ...change }, today)
    return step && isOwnersStep(step)
  }
  expect(isOwners({ status: 'pending' })).toBe(true)
  expect(isOwners({})).toBe(true)
  expect(isOwners({ balanceCents: -1 })).toBe(true)
  expect(isOwners({ lease: { isSigned: false } })).toBe(false)
  expect(isOwners({ lease: { isSigned: false, waitsFor: 'Zoë Müller' } })).toBe(false)
  expect(isOwners({ lease: { isSigned: false, waitsFor: 'you' } })).toBe(true)
  expect(isOwners({ overdueCents: 1 })).toBe(false)
  expect(isOwners({ balanceCents: 1, plan: { dueCents: 0, next } })).toBe(false)
  expect(isOwners({ status: 'cancelled', toReturnCents: 1 })).toBe(true)
})

test('the step is never complete while the lease or money of a coming stay is missing [LOOK-17]', () => {
  const cents = fc.integer({ min: -500, max: 500 })
  const source = fc.record({
    status: fc.constantFrom(...applicationStatuses),
    isEntered: fc.boolean(),
    lease: fc.option(fc.record({ isSigned: fc.boolean() })),
    stay: fc.constantFrom(signed.stay, over),
    owedCents: fc.constantFrom(0, 500),
    balanceCents: cents,
    onItsWayCents: fc.nat(500),
    overdueCents: fc.nat(500),
    depositOpenCents: fc.nat(500),
    depositFreeCents: cents,
    toReturnCents: fc.nat(500),
  })
  fc.assert(
    fc.property(source, values => {
      const found = nextStep(values, today)
      if (found) expect(found.amountCents).toBeGreaterThanOrEqual(0)
      if (found?.kind !== 'complete' && found?.kind !== 'confirm') return
      expect(values).toMatchObject({ status: 'approved', overdueCents: 0 })
      if (values.owedCents > 0) expect(values.balanceCents).toBe(0)
      if (values.stay !== over && (values.lease || !values.isEntered))
        expect(values.lease).toEqual({ isSigned: true })
    }),
  )
})
