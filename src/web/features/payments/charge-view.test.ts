import { expect, test } from 'vitest'
import { type ChargeView, canAddCharge, canVoid } from './charge-view.ts'

const charge = (values: Partial<ChargeView> & { createdBy?: string; voidedAt?: string }): ChargeView => ({
  _id: 'a',
  id: 'a',
  kind: 'fee',
  label: 'Cleaning fee',
  amountCents: 100,
  source: 'lease',
  baseCents: null,
  rateBasisPoints: null,
  per: null,
  taxable: false,
  refundable: false,
  feeRuleId: null,
  taxRuleId: null,
  createdAt: '2026-06-01T12:00:00.000Z',
  createdBy: null,
  voidedAt: null,
  voidedBy: null,
  voidReason: null,
  ...values,
})
const rent = charge({ kind: 'rent', label: 'Rent' })
const deposit = charge({ kind: 'deposit', label: 'Security deposit' })
const rentOfBooking = charge({ kind: 'rent', source: 'owner' })
const later = charge({ kind: 'damage', source: 'owner', createdBy: 'keeper' })

test('only charges that the owner added by hand, and that are not voided, can be voided [CHG-21, CHG-23]', () => {
  expect([rent, charge({}), rentOfBooking].some(canVoid)).toBe(false)
  expect(canVoid(charge({ kind: 'tax', source: 'owner' }))).toBe(false)
  expect(canVoid(later)).toBe(true)
  expect(canVoid({ ...later, voidedAt: '2026-06-03T12:00:00.000Z' } as ChargeView)).toBe(false)
})

test('a charge can be added once the lease is signed, or to a booking without a lease [CHG-22]', () => {
  const application = { status: 'approved', leaseGenerated: true, leaseSigned: false }
  expect(canAddCharge(application, [rent, deposit])).toBe(false)
  expect(canAddCharge({ ...application, leaseSigned: true }, [rent, deposit])).toBe(true)
  expect(canAddCharge({ ...application, leaseSigned: true, status: 'rejected' }, [rent])).toBe(false)
  const unwritten = { ...application, leaseGenerated: false }
  expect(canAddCharge(unwritten, [])).toBe(false)
  expect(canAddCharge(unwritten, [later])).toBe(false)
  expect(canAddCharge(unwritten, [rentOfBooking])).toBe(true)
})
