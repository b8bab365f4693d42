import { and, eq, like } from 'drizzle-orm'
import fc from 'fast-check'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { outbox, providerEvents } from '../../../../../db/schema.ts'
import { type PaymentApp, paymentApp } from '../../../../testing/build-payment.ts'

/** The outcomes of a bank payment at the provider, and the state here after all events arrived. */
const outcomes = {
  processing: { status: 'processing', credited: 0, mails: { onItsWay: 1 } },
  arrives: { status: 'succeeded', credited: 1000_00, mails: { receipt: 1 } },
  fails: { status: 'failed', credited: 0, mails: { failed: 2 } },
  returned: { status: 'returned', credited: 0, mails: { returned: 2 } },
  isWon: { status: 'succeeded', credited: 1000_00, mails: { receipt: 1 } },
} as const
type Outcome = keyof typeof outcomes

/** A message is a provider event, by its index, or a visit to the success page. */
const message = fc.oneof(
  { weight: 8, arbitrary: fc.nat(30) },
  { weight: 1, arbitrary: fc.constant('success-page' as const) },
)
const scenario = fc.record({
  isWithDeposit: fc.boolean(),
  outcome: fc.constantFrom(...(Object.keys(outcomes) as Outcome[])),
  messages: fc.array(message, { minLength: 2, maxLength: 12 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
})

/** Plays an outcome at the provider; returns the checkout's events that the site handles. */
function playOutcome({ provider }: PaymentApp, sessionId: string, outcome: Outcome): string[] {
  const before = provider.events().length
  provider.completeUnpaid(sessionId)
  if (outcome !== 'processing') provider.settle(sessionId, outcome !== 'fails')
  if (outcome === 'returned' || outcome === 'isWon') {
    const charge = provider.events().findLast(({ type }) => type === 'charge.succeeded')?.data.object
    const status = outcome === 'isWon' ? ({ status: 'needs_response' } as const) : {}
    const dispute = provider.openDispute((charge as Stripe.Charge).id, status)
    if (outcome === 'isWon') provider.closeDispute(dispute.id, 'won')
  }
  const heard = /^(checkout\.session|charge\.dispute)\./
  return provider
    .events()
    .slice(before)
    .flatMap(({ id, type }) => (heard.test(type) ? [id] : []))
}

function mailsOf({ deps }: PaymentApp, paymentId: string) {
  const count = (kind: string) =>
    deps.db
      .select()
      .from(outbox)
      .where(and(eq(outbox.kind, kind), like(outbox.dedupeKey, `%${paymentId}%`)))
      .all().length
  return {
    onItsWay: count('bank-payment-on-its-way'),
    failed: count('bank-payment-failed'),
    returned: count('bank-payment-returned'),
    receipt: count('payment-receipt'),
    toOwner: count('owner-payment-received'),
  }
}

test('any order, repetition and concurrency of a bank payment’s events ends in one payment and each mail once [BANK-10, BANK-11, LOOK-80]', async () => {
  const app = await paymentApp()
  app.provider.holdDeliveries(true)
  await app.offerBank()
  const run = async ({
    concurrency,
    isWithDeposit,
    outcome,
    messages,
  }: typeof scenario extends fc.Arbitrary<infer T> ? T : never) => {
    const tenant = await app.makeTenant()
    const providerMethod = 'us_bank_account' as const
    const row = await app.checkout(tenant, {
      ...(isWithDeposit ? { rentCents: 500_00 } : { paymentType: 'rent' as const, amount: 1000_00 }),
      providerMethod,
    })
    const { checkoutSessionId: sessionId } = row
    const events = playOutcome(app, sessionId, outcome)
    const send = (what: number | 'success-page') =>
      what === 'success-page'
        ? app.as(tenant).payments.bySession({ sessionId })
        : app.provider.deliverEvent(events[what % events.length] ?? '', 1 + (what % 2))
    // In the end every event is delivered, in an order that starts with the drawn one.
    const all = [...messages, ...events.keys()]
    while (all.length > 0) await Promise.all(all.splice(0, concurrency).map(send))

    const { credited, mails: expected, status } = outcomes[outcome]
    const after = app.payment(row.id)
    expect(after).toMatchObject({ status, feeCents: 0 })
    const { payments } = await app.as(tenant).payments.history()
    expect(new Set(payments.map(payment => payment.status))).toEqual(new Set([status]))
    expect(payments).toHaveLength(isWithDeposit ? 2 : 1)
    expect(payments.reduce((sum, { creditedAmount }) => sum + creditedAmount, 0)).toBe(credited)
    const sent = mailsOf(app, row.id)
    expect(sent).toMatchObject(expected)
    expect(sent.onItsWay).toBeLessThanOrEqual(1)
    // A payment that arrived gets a receipt unless the return was reported first; nothing else gets one.
    const hasArrived = status === 'succeeded' || status === 'returned'
    expect(after.paidAt !== null).toBe(hasArrived)
    expect(sent.receipt).toBe(sent.toOwner)
    expect(sent.receipt).toBeLessThanOrEqual(hasArrived ? 1 : 0)
    if (status !== 'failed') expect(sent.failed).toBe(0)
    if (outcome !== 'returned' && outcome !== 'isWon') expect(sent.returned).toBe(0)
  }
  await fc.assert(fc.asyncProperty(scenario, run), {
    numRuns: 12,
    seed: Number(process.env.SEED),
    endOnFailure: true,
  })
  const quarantined = app.deps.db
    .select()
    .from(providerEvents)
    .where(eq(providerEvents.outcome, 'quarantined'))
  expect(quarantined.all()).toEqual([])
})
