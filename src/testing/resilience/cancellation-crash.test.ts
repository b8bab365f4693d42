import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { outbox } from '../../../db/schema.ts'
import { tickDeposits } from '../../server/money/deposits/watch.ts'
import { sweepPayments } from '../../server/money/payments/checkout/sweep.ts'
import { verifyStore } from '../../server/operations/backup/verify.ts'
import { depositApp } from '../build-deposit.ts'
import { buildCheckout } from '../build-payment.ts'
import { provenPrefix } from '../test-app.ts'
import { runUntilKilled } from './killed-process.ts'

test.each([
  ['in-cancellation-write', false],
  ['stay-cancelled', true],
  ['leg-answered', true],
  ['leg-stored', true],
])(
  'killed at %s of cancelling with two cards and an open checkout, the next start goes on: no refund is made twice or forgotten [CHANGE-11, CHANGE-13, CHANGE-15]',
  async (point, isDone) => {
    const { admin, app, id, owner, payByCard, tenant } = await depositApp()
    await payByCard(200_00, 'rent')
    app.setNow('2026-05-01T17:00:00.000Z')
    const open = await app.checkout(
      tenant,
      buildCheckout({ applicationId: id, amount: 100_00, paymentType: 'rent' }),
    )
    // The proof is of this moment.
    await owner().applications.adminGet({ id })
    const args = ['cancel', id, admin.userId, provenPrefix + admin.userId]
    const env = { NOW: app.deps.clock.now().toISOString(), PROVIDER_URL: app.providerUrl, FAILPOINT: point }
    expect(await runUntilKilled(app, 'deposit-process.ts', args, env)).toBe('SIGKILL')
    const show = () => owner().cancellations.adminGet({ applicationId: id })
    expect((await show()).cancellation?.state).toBe(isDone ? 'cancelled' : undefined)
    if (!isDone)
      await owner().cancellations.cancel({ applicationId: id, side: 'owner', reason: 'A pipe burst.' })
    await tickDeposits(app.deps)
    await sweepPayments(app.deps)
    await app.provider.deliverDue()
    expect((await show()).cancellation?.refunds.map(({ state, totalCents }) => [state, totalCents])).toEqual([
      ['done', 515_00],
      ['done', 206_00],
    ])
    const refunded = Object.values(app.provider.truth()).reduce((sum, { refunded }) => sum + refunded, 0)
    expect([refunded, app.payment(open.id).status]).toEqual([721_00, 'canceled'])
    const mails = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'stay-cancelled')).all()
    expect(mails).toHaveLength(1)
    expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
  },
)
