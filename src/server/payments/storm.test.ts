import { randomInt } from 'node:crypto'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { payments, providerEvents } from '../../../db/schema.ts'
import type { SignedIn } from '../../domain/access.ts'
import { creditedCents, feeKeptCents, isCounted, paidCents } from '../../domain/ledger.ts'
import { type PaymentApp, paymentApp } from '../../testing/build-payment.ts'
import { sweepPayments } from './checkout/sweep.ts'
import type { PaymentRow } from './ledger/records.ts'

// Every run has its own seed, which a failure names; the whole storm is one of the long tests.
const isLong = process.env.LONG !== undefined
const seed = Number(process.env.STORM_SEED ?? randomInt(1_000_000))
const { paymentCount, deliveryCount } = isLong
  ? { paymentCount: 400, deliveryCount: 2000 }
  : { paymentCount: 40, deliveryCount: 200 }
const hourMs = 3_600_000

type Chance = ReturnType<typeof createChance>

/** Mulberry32: small, and the same for the same seed. */
function createChance(start: number) {
  let state = start
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    oneIn: (n: number) => below(n) === 0,
    pick: <T>(of: readonly T[]) => of[below(of.length)] as T,
  }
}

/** One payment's fate at the provider: paid, declined, by bank, refunded, disputed, left open. */
async function livePayment(app: PaymentApp, chance: Chance, tenant: SignedIn, applicationId: string) {
  const amount = 100 + chance.below(400_000)
  const row = await app.checkout(tenant, { applicationId, paymentType: 'rent', amount })
  const { checkoutSessionId: session } = row
  if (chance.oneIn(10)) return
  if (chance.oneIn(6)) app.provider.decline(session)
  if (chance.oneIn(4)) {
    app.provider.completeUnpaid(session)
    if (chance.oneIn(4)) return
    const arrives = !chance.oneIn(3)
    app.provider.settle(session, arrives)
    if (!arrives) return
  } else app.provider.pay(session)
  const charge = chargeOf(app, row)
  const refunds = chance.pick([0, 0, 0, 1, 2, 3])
  for (let i = 0, left = row.amountCents + row.feeCents; i < refunds && left > 0; i++) {
    const part = chance.oneIn(4) ? left : 1 + chance.below(left)
    app.provider.refund(charge.id, part)
    left -= part
  }
  const { paid = 0, refunded = 0 } = app.provider.truth()[session] ?? {}
  if (!chance.oneIn(4) || refunded >= paid) return
  const dispute = app.provider.openDispute(charge.id)
  if (!chance.oneIn(3)) app.provider.closeDispute(dispute.id, chance.pick(['won', 'lost']))
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

/** At least `count` deliveries: every event once, the rest drawn again, in any order. */
function shuffledDeliveries(events: readonly Stripe.Event[], chance: Chance, count: number): string[] {
  const ids = events.map(({ id }) => id)
  while (ids.length < count) ids.push(chance.pick(events).id)
  for (let i = ids.length - 1; i > 0; i--) {
    const j = chance.below(i + 1)
    ;[ids[i], ids[j]] = [ids[j] as string, ids[i] as string]
  }
  return ids
}

test(
  'a storm of shuffled, doubled and delayed events leaves the ledger exact and one receipt each [MONEY-07]',
  async () => {
    const chance = createChance(seed)
    const app = await paymentApp()
    app.provider.holdDeliveries(true)
    const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
    const applications = await Promise.all(
      Array.from({ length: Math.ceil(paymentCount / 4) }, () => app.makeApplication(tenant)),
    )
    for (let i = 0; i < paymentCount; i++)
      await livePayment(app, chance, tenant, chance.pick(applications).id)

    const deliveries = shuffledDeliveries(app.provider.events(), chance, deliveryCount)
    const told = new Set(deliveries)
    while (deliveries.length > 0) {
      // A handful at once, some of them doubled, some while the provider is down, some days later.
      const isDown = chance.oneIn(20)
      if (isDown) app.provider.setFault(chance.pick([{ hangUp: true }, { status: 503 }]))
      if (chance.oneIn(10)) app.advance(chance.below(48) * hourMs)
      if (!isDown && chance.oneIn(15)) await sweepPayments(app.deps)
      const handful = deliveries.splice(0, 1 + chance.below(12))
      const answers = await Promise.all(
        handful.map(async id => [id, await app.provider.deliverEvent(id, 1 + chance.below(3))] as const),
      )
      app.provider.setFault({})
      for (const [id, statuses] of answers)
        if (!statuses.includes(200)) deliveries.splice(chance.below(deliveries.length + 1), 0, id)
    }
    await sweepPayments(app.deps)

    const truth = app.provider.truth()
    const rows = app.deps.db.select().from(payments).all()
    expect(rows, `seed ${seed}`).toHaveLength(Object.keys(truth).length)
    for (const row of rows) {
      const { disputed, paid, refunded } = truth[row.checkoutSessionId ?? ''] ?? expect.fail(`seed ${seed}`)
      const left = paid - refunded - disputed
      expect(creditedCents(row) + feeKeptCents(row), `seed ${seed}, payment ${row.id}, ${row.status}`).toBe(
        left,
      )
      expect(row.paidAt !== null, `seed ${seed}, payment ${row.id}`).toBe(paid > 0)
      expect(isCounted(row), `seed ${seed}, payment ${row.id}`).toBe(left > 0)
      if (paid > 0) expect(row.cardLast4).not.toBeNull()
    }
    const receipts = app.receipts().map(({ props }) => props.paymentId as string)
    const paidIds = rows.filter(({ paidAt }) => paidAt !== null).map(({ id }) => id)
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
