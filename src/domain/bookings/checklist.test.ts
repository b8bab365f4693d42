import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applicationStatuses } from './application-status.ts'
import { bookingChecklist, type ChecklistSource } from './checklist.ts'

const start: ChecklistSource = {
  status: 'draft',
  leaseGenerated: false,
  leaseSigned: false,
  paymentReceived: false,
}
const completed = (source: Partial<ChecklistSource>) =>
  bookingChecklist({ ...start, ...source })
    .steps.filter(step => step.complete)
    .map(step => step.key)

describe('the booking checklist', () => {
  test('has six steps in order, each with what to do [CHECK-01, CHECK-04, CHECK-06]', () => {
    const { steps } = bookingChecklist(start)
    expect(steps.map(step => step.title)).toEqual([
      'Application Submitted',
      'Application Approved',
      'Lease Generated',
      'Lease Uploaded',
      'Payment Made',
      'Admin Verification',
    ])
    const hintOf = (source: Partial<ChecklistSource>) =>
      bookingChecklist({ ...start, status: 'approved', ...source }).steps[2]?.hint
    expect(hintOf({})).toContain('preparing your lease')
    const { steps: withoutLease } = bookingChecklist({ ...start, status: 'approved', withoutLease: true })
    expect(withoutLease.slice(2, 4).map(({ hint }) => hint)).toEqual([
      'Your booking needs no lease on this site.',
      'Nothing is to be signed.',
    ])
    expect(steps[1]?.hint).toContain('1-2 business days')
    expect(steps[3]?.hint).toMatch(/Sign the lease online.*print.*upload a scan/)
  })

  test('completes each step based on its own condition [CHECK-02, CHECK-03, CHECK-05, CHECK-07, CHECK-08]', () => {
    expect(completed({})).toEqual([])
    expect(completed({ status: 'rejected' })).toEqual([])
    expect(completed({ status: 'pending' })).toEqual(['submitted'])
    expect(completed({ status: 'approved' })).toEqual(['submitted', 'approved'])
    expect(completed({ status: 'completed' })).toEqual(['submitted', 'approved', 'verified'])
    expect(completed({ leaseGenerated: true })).toEqual(['generated'])
    expect(completed({ leaseSigned: true })).toEqual(['signed'])
    expect(completed({ paymentReceived: true })).toEqual(['paid'])
    expect(completed({ payments: [{ status: 'failed' }, { status: 'succeeded' }] })).toEqual(['paid'])
    expect(completed({ payments: [{ status: 'pending' }] })).toEqual([])
  })

  test.each([
    [{}, 0],
    [{ status: 'pending' }, 17],
    [{ status: 'approved' }, 33],
    [{ status: 'approved', leaseGenerated: true }, 50],
    [{ status: 'approved', leaseGenerated: true, leaseSigned: true }, 67],
    [{ status: 'approved', leaseGenerated: true, leaseSigned: true, paymentReceived: true }, 83],
    [{ status: 'completed', leaseGenerated: true, leaseSigned: true, paymentReceived: true }, 100],
  ])('%o is %i percent [CHECK-09]', (source, percent) => {
    expect(bookingChecklist({ ...start, ...source }).percent).toBe(percent)
  })

  test('marks only the first incomplete step after a complete one [CHECK-10, LOOK-96]', () => {
    const next = (source: Partial<ChecklistSource>) =>
      bookingChecklist({ ...start, ...source })
        .steps.filter(step => step.next)
        .map(step => step.key)
    expect(next({})).toEqual([])
    expect(next({ status: 'pending' })).toEqual(['approved'])
    expect(next({ status: 'pending', paymentReceived: true })).toEqual(['approved'])
    expect(next({ status: 'rejected', leaseGenerated: true })).toEqual(['signed'])
    expect(next({ status: 'completed' })).toEqual(['generated'])
    expect(
      next({ status: 'completed', leaseGenerated: true, leaseSigned: true, paymentReceived: true }),
    ).toEqual([])
  })

  test('shows which step is pending, and when all are done [CHECK-11, CHECK-12]', () => {
    const ready = { status: 'approved', leaseSigned: true, paymentReceived: true }
    expect(bookingChecklist({ ...start, ...ready }).banner).toBe('Pending Admin Verification')
    expect(bookingChecklist({ ...start, ...ready, leaseSigned: false }).banner).toBeUndefined()
    expect(bookingChecklist({ ...start, ...ready, paymentReceived: false }).banner).toBeUndefined()
    expect(bookingChecklist({ ...start, ...ready, status: 'completed' }).banner).toBe('Booking Complete')
  })

  test('counts complete steps, and marks at most one next step, after a complete one', () => {
    const source = fc.record({
      status: fc.constantFrom(...applicationStatuses),
      leaseGenerated: fc.boolean(),
      leaseSigned: fc.boolean(),
      paymentReceived: fc.boolean(),
    })
    fc.assert(
      fc.property(source, source => {
        const { steps, completed, percent } = bookingChecklist(source)
        expect(completed).toBe(steps.filter(step => step.complete).length)
        expect(percent).toBe(Math.round((completed * 100) / 6))
        const next = steps.findIndex(step => step.next)
        expect(steps.filter(step => step.next).length).toBeLessThanOrEqual(1)
        if (next >= 0) expect([steps[next - 1]?.complete, steps[next]?.complete]).toEqual([true, false])
      }),
    )
  })
})
