import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import {
  applications,
  charges,
  disputes,
  events,
  leases,
  outbox,
  payments,
  providerEvents,
  refunds,
} from '../../db/schema.ts'
import type { SignedIn } from '../domain/accounts/access.ts'
import { cardFeeCents } from '../domain/common/money.ts'
import type { ProviderMethod } from '../domain/money/ledger.ts'
import type { PayableType } from '../domain/money/payment.ts'
import type { Environment } from '../server/kernel/config.ts'
import type { Deps } from '../server/kernel/deps.ts'
import { connectProvider } from '../server/money/payments/stripe.ts'
import { buildLease, buildLeaseCharges } from './build-lease.ts'
import { afterThisTest } from './cleanups.ts'
import { startProvider } from './provider.ts'
import { testApp, testNow } from './test-app.ts'

export const webhookSecret = 'whsec_of_the_tests'

type ApplicationOverrides = Partial<typeof applications.$inferInsert> & { lease?: null }

export type PaymentApp = Awaited<ReturnType<typeof paymentApp>>

/**
 * The app and the sandbox provider, on separate ports with a shared clock. Webhook events arrive when the test calls
 * `provider.deliverDue()`. `timeoutMs` is how long a checkout waits for the provider, 10 s by default.
 */
export async function paymentApp({ env, timeoutMs }: { env?: Environment; timeoutMs?: number } = {}) {
  let address = ''
  let now = () => new Date(testNow)
  const providerServer = await startProvider({
    now: () => now(),
    webhookUrl: () => `${address}/api/payment/webhook`,
    webhookSecret,
  })
  afterThisTest(providerServer.close)
  const provider = connectProvider(providerServer.url, 'sk_test_of_the_tests', webhookSecret, timeoutMs)
  // By default the SDK waits half a second before a retry.
  Object.assign(provider.stripe, { getInitialNetworkRetryDelay: () => 0.001 })
  const app = await testApp({
    env: { RATE_LIMITS: 'off', ...env },
    replace: { provider },
  })
  now = () => app.deps.clock.now()
  address = await app.listen()
  const { deps } = app
  return {
    ...app,
    address,
    provider: providerServer.provider,
    providerUrl: providerServer.url,
    /** Turns on bank account payments, and returns the owner. */
    offerBank: async () => {
      const owner = await app.makeAdmin()
      await app.as(owner).settings.bank.save({ version: 0, body: { enabled: true } })
      return owner
    },
    makeApplication: (tenant: SignedIn, overrides: ApplicationOverrides = {}) =>
      makeApplication(deps, tenant, overrides),
    /** Opens a checkout through the router and returns its payment row. */
    checkout: async (tenant: SignedIn, overrides: Parameters<typeof buildCheckout>[0] = {}) => {
      const { url } = await app.as(tenant).payments.createCheckoutSession(buildCheckout(overrides))
      const ofCheckout = deps.db.select().from(payments).where(eq(payments.checkoutUrl, url))
      const row = ofCheckout.orderBy(payments.checkoutLeadId).get()
      if (!row?.checkoutSessionId) throw new Error('the checkout has no session')
      return { ...row, checkoutSessionId: row.checkoutSessionId }
    },
    payment: (id: string) => {
      const row = deps.db.select().from(payments).where(eq(payments.id, id)).get()
      if (!row) throw new Error(`no payment ${id}`)
      return row
    },
    receipts: () => deps.db.select().from(outbox).where(eq(outbox.kind, 'payment-receipt')).all(),
    /** Everything that a rejected request must not change. */
    snapshotState: () => ({
      payments: deps.db.select().from(payments).all(),
      refunds: deps.db.select().from(refunds).all(),
      disputes: deps.db.select().from(disputes).all(),
      providerEvents: deps.db.select().from(providerEvents).all(),
      events: deps.db.select().from(events).all(),
      outbox: deps.db.select().from(outbox).all(),
      atTheProvider: providerServer.provider.truth(),
      eventCount: providerServer.provider.events().length,
    }),
  }
}

/**
 * The input that the payment page sends, with fee and total calculated the same way; with `rentCents` for rent in the
 * same checkout.
 */
export function buildCheckout({
  amount = 500_00,
  paymentType = 'deposit' as PayableType,
  applicationId,
  providerMethod = 'card' as ProviderMethod,
  rentCents,
  ...overrides
}: Partial<{
  amount: number
  creditCardFee: number
  totalAmount: number
  paymentType: PayableType
  providerMethod: ProviderMethod
  applicationId: string
  rentCents: number | undefined
  description: string
  successUrl: string
  cancelUrl: string
}> = {}) {
  const feeOf = (cents: number) => (providerMethod === 'card' ? cardFeeCents(cents) : 0)
  const totalOf = (cents: number) => cents + feeOf(cents)
  return {
    amount,
    creditCardFee: feeOf(amount),
    totalAmount: totalOf(amount) + totalOf(rentCents ?? 0),
    ...(rentCents !== undefined && { rent: { amount: rentCents, creditCardFee: feeOf(rentCents) } }),
    paymentType,
    providerMethod,
    applicationId,
    description: '',
    successUrl: 'http://localhost:3000/payment/success',
    cancelUrl: 'http://localhost:3000/payment/cancel',
    ...overrides,
  }
}

/** The input that the Add Manual Payment form sends. */
export function buildManualPayment(applicationId: string, overrides: { amount?: number } = {}) {
  return {
    amount: 1000_00,
    paymentType: 'rent' as const,
    paymentDate: '2026-03-02',
    checkNumber: '1042',
    notes: 'By check',
    applicationId,
    ...overrides,
  }
}

let lastNumber = 0

/** An approved application that owes a $500 deposit and $2500 rent under a generated lease; none with `lease: null`. */
export async function makeApplication(
  deps: Deps,
  tenant: SignedIn,
  { lease, ...overrides }: ApplicationOverrides,
) {
  const at = deps.clock.now().toISOString()
  const row = {
    id: randomUUID(),
    number: `APP-2026-${String(++lastNumber).padStart(4, '0')}`,
    userId: tenant.userId,
    status: 'approved' as const,
    firstName: 'Maya',
    lastName: 'Rivers',
    email: 'maya@guest.example',
    phone: '850-555-0142',
    street: '12 Pine Street',
    city: 'Mobile',
    state: 'AL',
    zipCode: '36602',
    requestedStartDate: '2026-06-01',
    requestedEndDate: '2026-07-01',
    stayStartDate: overrides.requestedStartDate ?? '2026-06-01',
    stayEndDate: overrides.requestedEndDate ?? '2026-07-01',
    additionalGuests: [],
    createdAt: at,
    updatedAt: at,
    rentCents: 2500_00,
    depositCents: 500_00,
    totalCents: 3000_00,
    ...overrides,
  }
  await deps.write(tx => {
    tx.insert(applications).values(row).run()
    if (lease === null) return
    const { depositCents, totalCents } = row
    const charged = buildLeaseCharges(row.id, totalCents - (depositCents ?? 0), depositCents ?? 0)
    tx.insert(charges).values(charged).run()
    tx.insert(leases)
      .values(
        buildLease(row.id, {
          startDate: row.stayStartDate,
          endDate: row.stayEndDate,
          depositCents: row.depositCents ?? 0,
          generatedAt: at,
        }),
      )
      .run()
  })
  return row
}
