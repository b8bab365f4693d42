import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { payments, providerEvents } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { hourMs } from '../../../domain/common/durations.ts'
import { creditedCents, feeKeptCents, isCounted, paidCents } from '../../../domain/money/ledger.ts'
import { type PaymentApp, paymentApp } from '../../../testing/build-payment.ts'
import { seed, testRandom } from '../../../testing/random.ts'
import type { Random } from '../../operations/demo/seed-runtime.ts'
import { sweepPayments } from './checkout/sweep.ts'
import type { PaymentRow } from './records.ts'

// The full number of events is one of the long tests.
const isLong = process.env.LONG !== undefined
const { paymentCount, deliveryCount } = isLong
  ? { paymentCount: 400, deliveryCount: 2000 }
  : { paymentCount: 20, deliveryCount: 100 }

/** Plays one payment's outcome at the provider: paid, declined, by bank, refunded, disputed, left open. */
async function livePayment(app: PaymentApp, random: Random, tenant: SignedIn, applicationId: string) {
  const amount = 100 + random.below(400_000)
  // A deposit of its own application, so that it can be paid.
  const row =
    random.below(3) === 0
      ? await app.checkout(tenant, {
          applicationId: (await app.makeApplication(tenant)).id,
          rentCents: amount,
        })
      : await app.checkout(tenant, { applicationId, paymentType: 'rent', amount })
  const { checkoutSessionId: session } = row
  if (random.below(10) === 0) return
  if (random.below(6) === 0) app.provider.decline(session)
  if (random.below(4) === 0) {
    app.provider.completeUnpaid(session)
    if (random.below(4) === 0) return
    const arrives = random.below(3) > 0
    app.provider.settle(session, arrives)
    if (!arrives) return
  } else app.provider.pay(session)
  const charge = chargeOf(app, row)
  const refunds = random.pick([0, 0, 0, 1, 2, 3])
  for (let i = 0, left = app.provider.truth()[session]?.paid ?? 0; i < refunds && left > 0; i++) {
    const part = random.below(4) === 0 ? left : 1 + random.below(left)
    app.provider.refund(charge.id, part)
    left -= part
  }
  for (let disputes = random.pick([0, 0, 0, 1, 2]); disputes > 0; disputes--) {
    const { paid = 0, refunded = 0, disputed = 0 } = app.provider.truth()[session] ?? {}
    if (refunded + disputed >= paid) return
    const amount = random.pick([paid - refunded - disputed, 1 + random.below(paid)])
    const isInquiry = charge.payment_method_details?.type === 'card' && random.below(4) === 0
    const status = isInquiry ? { status: 'warning_needs_response' as const } : {}
    const dispute = app.provider.openDispute(charge.id, { amount, ...status })
    if (dispute.status === 'lost') return
    if (random.below(3) === 0) app.provider.advanceDispute(dispute.id)
    if (random.below(3) > 0) app.provider.closeDispute(dispute.id, random.pick(['won', 'lost']))
  }
}

function chargeOf(app: PaymentApp, row: PaymentRow): Stripe.Charge {
  const event = app.provider
    .events()
    .findLast(
      ({ data, type }) =>
        type === 'charge.succeeded' && (data.object as Stripe.Charge).metadata.paymentId === row.id,
    )
  if (!event) throw new Error(`payment ${row.id} has no charge`)
  return event.data.object as Stripe.Charge
}

/** At least `count` deliveries in random order: every event once, plus random repeats. */
function shuffledDeliveries(events: readonly Stripe.Event[], random: Random, count: number): string[] {
  const ids = events.map(({ id }) => id)
  while (ids.length < count) ids.push(random.pick(events).id)
  for (let i = ids.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[ids[i], ids[j]] = [ids[j] as string, ids[i] as string]
  }
  return ids
}

test(
  'shuffled, repeated and delayed events leave the ledger correct to the cent, with one receipt per payment [MONEY-07]',
  async () => {
    const random = testRandom()
    const app = await paymentApp()
    app.provider.holdDeliveries(true)
    const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
    const applications = await Promise.all(
      Array.from({ length: Math.ceil(paymentCount / 4) }, () => app.makeApplication(tenant)),
    )
    for (let i = 0; i < paymentCount; i++)
      await livePayment(app, random, tenant, random.pick(applications).id)

    const deliveries = shuffledDeliveries(app.provider.events(), random, deliveryCount)
    const told = new Set(deliveries)
    while (deliveries.length > 0) {
      // Delivers a few concurrently, some twice, some while the provider is down, some days later.
      const isDown = random.below(20) === 0
      if (isDown) app.provider.setFault(random.pick([{ hangUp: true }, { status: 503 }]))
      if (random.below(10) === 0) app.advance(random.below(48) * hourMs)
      if (!isDown && random.below(15) === 0) await sweepPayments(app.deps)
      const handful = deliveries.splice(0, 1 + random.below(12))
      const answers = await Promise.all(
        handful.map(async id => [id, await app.provider.deliverEvent(id, 1 + random.below(3))] as const),
      )
      app.provider.setFault({})
      for (const [id, statuses] of answers)
        if (!statuses.includes(200)) deliveries.splice(random.below(deliveries.length + 1), 0, id)
    }
    await sweepPayments(app.deps)

    const truth = app.provider.truth()
    const rows = app.deps.db.select().from(payments).all()
    const checkouts = Map.groupBy(rows, row => row.checkoutSessionId ?? '')
    expect(checkouts.size, `seed ${seed}`).toBe(Object.keys(truth).length)
    for (const [session, rows] of checkouts) {
      const { disputed, paid, refunded } = truth[session] ?? expect.fail(`seed ${seed}`)
      const left = paid - refunded - disputed
      const keptOf = (row: PaymentRow) => creditedCents(row) + feeKeptCents(row)
      const kept = rows.reduce((sum, row) => sum + keptOf(row), 0)
      expect(kept, `seed ${seed}, checkout ${session}`).toBe(left)
      // The deposit is refunded last, unless exactly the deposit was refunded.
      const deposit = rows.find(({ type }) => type === 'deposit')
      if (deposit && rows.some(row => row.type === 'rent' && keptOf(row) > 0))
        expect([0, deposit.amountCents], `seed ${seed}`).toContain(deposit.refundedAmountCents)
      for (const row of rows) {
        expect(row.paidAt !== null, `seed ${seed}, payment ${row.id}`).toBe(paid > 0)
        expect(isCounted(row), `seed ${seed}, payment ${row.id}`).toBe(keptOf(row) > 0)
        if (paid > 0) expect(row.cardLast4).not.toBeNull()
      }
    }
    const receipts = app.receipts().map(({ props }) => props.paymentId as string)
    const paidIds = rows
      .filter(({ checkoutLeadId, paidAt }) => paidAt !== null && checkoutLeadId === null)
      .map(({ id }) => id)
    expect(receipts.toSorted(), `seed ${seed}`).toEqual(paidIds.toSorted())

    const { summary } = await app.as(admin).payments.revenueSummary()
    const moneyLeft = Object.values(truth).reduce(
      (sum, each) => sum + each.paid - each.refunded - each.disputed,
      0,
    )
    expect(summary.totalRevenue, `seed ${seed}`).toBe(moneyLeft)
    const { applications: options } = await app.as(tenant).payments.options()
    expect(options.reduce((sum, { balance }) => sum + balance.paidCents, 0)).toBe(paidCents(rows))
    const stored = app.deps.db.select().from(providerEvents).all()
    expect(stored.filter(({ outcome }) => outcome === 'quarantined')).toEqual([])
    expect(new Set(stored.map(({ id }) => id))).toEqual(told)
  },
  isLong ? 600_000 : 60_000,
)
