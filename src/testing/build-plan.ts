import { eq } from 'drizzle-orm'
import { leases } from '../../db/schema.ts'
import type { SignedIn } from '../domain/accounts/access.ts'
import type { CustomRow, LateFee } from '../domain/money/payment-plan.ts'
import { makeLease } from './build-lease.ts'
import { type TestApp, testNow } from './test-app.ts'

/** A late fee of $50.00 after 5 days of grace. */
export const fixedLateFee: LateFee = { kind: 'fixed', cents: 50_00, basisPoints: 0, graceDays: 5 }

/** The June rent, $2500.00, in three payments. */
export const juneRows: readonly CustomRow[] = [
  { amountCents: 1000_00, dueDate: null },
  { amountCents: 1000_00, dueDate: '2026-05-02' },
  { amountCents: 500_00, dueDate: '2026-06-15' },
]

type PlanOptions = { lateFee?: LateFee; rows?: readonly CustomRow[] }

/** Gives an unsigned lease a plan with these payments in addition to its deposit, through the procedures. */
export async function choosePlan(
  app: Pick<TestApp, 'as'>,
  admin: SignedIn,
  applicationId: string,
  { lateFee, rows = juneRows }: PlanOptions = {},
): Promise<void> {
  const { leases, settings: setup } = app.as(admin)
  const { version } = await setup.plan.get()
  if (lateFee) await setup.plan.save({ version, body: { lateFee } })
  await leases.changePlan({ applicationId, version: 0, instalments: [...rows] })
}

/** Sets or clears (null) when a lease was signed, directly in the database and without a signed file. */
export const setSigned = ({ deps }: Pick<TestApp, 'deps'>, applicationId: string, signedAt: string | null) =>
  deps.write(tx =>
    tx
      .update(leases)
      .set({ signedAt, ...(signedAt && { generatedAt: signedAt }) })
      .where(eq(leases.applicationId, applicationId))
      .run(),
  )

/** Makes a June booking with a payment plan, signed now by default, its tenant, and an admin. */
export async function makePlan(
  app: TestApp,
  { sign = true, ...plan }: PlanOptions & { sign?: boolean } = {},
) {
  const { admin, id, tenant } = await makeLease(app)
  await choosePlan(app, admin, id, plan)
  if (sign) await setSigned(app, id, testNow)
  return { admin, id, tenant }
}
