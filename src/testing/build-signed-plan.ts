import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/open.ts'
import { applications, charges, installments, leases, paymentPlans, payments } from '../../db/schema.ts'
import type { LateFee } from '../domain/money/payment-plan.ts'
import { buildLease, buildLeaseCharges } from './build-lease.ts'

const at = '2026-03-01T17:00:00.000Z'

type PaymentChange = Omit<Partial<typeof payments.$inferInsert>, 'userId' | 'applicationId'> & {
  amountCents: number
}
export type SignedPlan = {
  userId: string
  number: string
  signedAt?: string
  status?: 'approved' | 'rejected' | 'completed'
  lateFee?: LateFee
  /** Cents. */
  deposit?: number
  /** Without a due date, the payment is due at signing. */
  parts: [amountCents: number, dueDate: string | null, change?: Partial<typeof installments.$inferInsert>][]
  payments?: PaymentChange[]
}

/** Inserts a booking with a signed lease and a payment plan directly, and returns the application's id. */
export function storeSignedPlan(tx: Tx, plan: SignedPlan): string {
  const { deposit = 0, lateFee, number, parts, signedAt = at, status = 'approved', userId } = plan
  const id = randomUUID()
  const rentCents = parts.reduce((sum, [amountCents]) => sum + amountCents, 0)
  tx.insert(applications)
    .values({
      id,
      number,
      userId,
      status,
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
      stayStartDate: '2026-06-01',
      stayEndDate: '2026-07-01',
      additionalGuests: [],
      createdAt: at,
      updatedAt: at,
      submittedAt: at,
      rentCents,
      depositCents: deposit,
      totalCents: rentCents + deposit,
    })
    .run()
  tx.insert(charges)
    .values(buildLeaseCharges(id, rentCents, deposit))
    .run()
  tx.insert(leases)
    .values(buildLease(id, { signedAt, signedBy: 'signature' }))
    .run()
  tx.insert(paymentPlans)
    .values({ applicationId: id, kind: 'custom', lateFee: lateFee ?? null, version: 1, madeAt: at })
    .run()
  const store = (row: Omit<typeof installments.$inferInsert, 'id' | 'applicationId' | 'createdAt'>) =>
    tx
      .insert(installments)
      .values({ id: randomUUID(), applicationId: id, createdAt: at, ...row })
      .run()
  if (deposit > 0)
    store({ kind: 'deposit', position: 0, label: 'Security deposit', dueDate: null, amountCents: deposit })
  for (const [i, [amountCents, dueDate, change]] of parts.entries()) {
    const label = `Payment ${i + 1} of ${parts.length}`
    store({ kind: 'lease', position: i + 1, label, amountCents, dueDate, ...change })
  }
  for (const payment of plan.payments ?? []) storePayment(tx, { userId, applicationId: id, ...payment })
  return id
}

/** Inserts a payment directly, by default a manual rent payment. */
export function storePayment(
  tx: Tx,
  payment: PaymentChange & { userId: string; applicationId: string },
): string {
  const id = randomUUID()
  const row = { type: 'rent', method: 'manual', status: 'succeeded', createdAt: at, paidAt: at } as const
  tx.insert(payments)
    .values({ id, ...row, ...payment })
    .run()
  return id
}
