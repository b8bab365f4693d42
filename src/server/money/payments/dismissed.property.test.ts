import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildManualPayment, makeApplication } from '../../../testing/build-payment.ts'
import { preparedSite, testNow } from '../../../testing/test-app.ts'
import { listUnexpectedPayments, tickDismissed } from './unexpected-payments.ts'

/** An ended booking: declined, or cancelled with $600 of $1,000 kept. */
const prepared = preparedSite(async app => {
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const make = async (requestedStartDate: string, requestedEndDate: string) => {
    const dates = { requestedStartDate, requestedEndDate }
    const { id } = await makeApplication(app.deps, tenant, { ...dates, submittedAt: testNow })
    return id
  }
  const ended = {
    cancelled: await make('2026-06-01', '2026-07-01'),
    declined: await make('2026-08-01', '2026-09-01'),
  }
  const owner = app.as(admin)
  await owner.payments.addManual(buildManualPayment(ended.cancelled, { amount: 1000_00 }))
  app.advance(1000)
  const cancel = { applicationId: ended.cancelled, side: 'owner', reason: 'A pipe burst.' } as const
  await owner.cancellations.cancel({ ...cancel, refundCents: 400_00 })
  const { cancellation } = await owner.cancellations.adminGet({ applicationId: ended.cancelled })
  for (const { id: refundId } of cancellation?.refunds ?? [])
    await owner.cancellations.refundByHand({ refundId })
  await owner.applications.adminSetStatus({ id: ended.declined, status: 'rejected' })
  return { admin, ended }
})

const step = fc.record({
  kind: fc.constantFrom('arrive', 'deposit', 'return', 'dismiss', 'remove', 'remove'),
  cents: fc.integer({ min: 1, max: 500_00 }),
})

test('in any order of payments, returns, removed entries and dismissals, the notices of an ended booking add up to the amount to return minus the dismissed amount [CHANGE-13, FIX-01]', async () => {
  const story = fc.array(step, { minLength: 5, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(
      story,
      fc.constantFrom('cancelled' as const, 'declined' as const),
      async (steps, status) => {
        const { admin, app, ended } = await prepared()
        const owner = app.as(admin)
        const applicationId = ended[status]
        const expected = { refund: 0, deposit_return: 0 }
        const dismissed = { refund: 0, deposit_return: 0 }
        const heldCents = () => expected.refund + expected.deposit_return
        const told = () => listUnexpectedPayments(app.deps, 100)
        const toldCents = () => told().reduce((sum, { leftCents }) => sum + leftCents, 0)
        const returned: { amount: number; of: 'refund' | 'deposit_return'; paymentId: string }[] = []
        for (const { cents, kind } of steps) {
          app.advance(1000)
          if (kind === 'arrive' || kind === 'deposit') {
            const paymentType = kind === 'deposit' ? 'deposit' : 'rent'
            await owner.payments.addManual({
              ...buildManualPayment(applicationId, { amount: cents }),
              paymentType,
            })
            expected[kind === 'deposit' ? 'deposit_return' : 'refund'] += cents
          }
          if (kind === 'return' && heldCents() > 0) {
            const of =
              expected.refund > 0 && (cents % 2 || !expected.deposit_return) ? 'refund' : 'deposit_return'
            const amount = Math.min(cents, expected[of])
            const { payment } = await owner.payments.recordReturn({ applicationId, kind: of, amount })
            returned.push({ amount, of, paymentId: payment.id })
            expected[of] -= amount
          }
          const [notice] = told()
          if (kind === 'dismiss' && notice) {
            await owner.payments.dismissUnexpected({ paymentId: notice.paymentId })
            dismissed[notice.returnKind] += notice.leftCents
          }
          const last = kind === 'remove' && returned.pop()
          if (last) {
            await owner.payments.remove({ paymentId: last.paymentId })
            expected[last.of] += last.amount
          }
          await tickDismissed(app.deps)
          for (const kind of ['refund', 'deposit_return'] as const)
            dismissed[kind] = Math.min(dismissed[kind], expected[kind])
          expect((await owner.charges.list({ applicationId })).summary.ended?.toReturnCents).toBe(heldCents())
          expect(toldCents()).toBe(heldCents() - dismissed.refund - dismissed.deposit_return)
        }
      },
    ),
    { numRuns: 12 },
  )
}, 120_000)
