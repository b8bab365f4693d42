import { eq } from 'drizzle-orm'
import { leases, paymentPlans } from '../../db/schema.ts'
import type { LateFee } from '../domain/payment-plan.ts'
import { customInstalments } from '../domain/payment-plan.ts'
import type { CustomRow } from '../domain/payment-plan-form.ts'
import { standingCharges } from '../server/charges/records.ts'
import { insertInstalments } from '../server/instalments/records.ts'
import { nowIso } from '../server/kernel/deps.ts'
import { makeLease } from './build-lease.ts'
import { type TestApp, testNow } from './test-app.ts'

/** A late fee of $50.00 after 5 days of grace. */
export const fixedLateFee: LateFee = { kind: 'fixed', cents: 50_00, basisPoints: 0, graceDays: 5 }

/** The rent of June, $2500.00, in three payments. */
export const juneRows: readonly CustomRow[] = [
  { amountCents: 1000_00, dueDate: null },
  { amountCents: 1000_00, dueDate: '2026-05-02' },
  { amountCents: 500_00, dueDate: '2026-06-15' },
]

type PlanOptions = { lateFee?: LateFee | null; rows?: readonly CustomRow[] }

/** Stores a plan for a generated lease, past the services: its deposit, and these payments. */
export async function storePlan(
  { deps }: Pick<TestApp, 'deps'>,
  applicationId: string,
  { lateFee = null, rows = juneRows }: PlanOptions = {},
): Promise<void> {
  const at = nowIso(deps)
  await deps.write(tx => {
    const charges = standingCharges(tx, applicationId).filter(({ source }) => source === 'lease')
    // Long ago, so that no date of a row has passed.
    const today = '2000-01-01'
    const terms = { charges, today, start: today, end: today, monthlyRentCents: 0 }
    tx.insert(paymentPlans).values({ applicationId, kind: 'custom', lateFee, version: 1, madeAt: at }).run()
    insertInstalments(tx, at, applicationId, customInstalments(rows, terms))
  })
}

/** Signs a lease on a moment, or takes the signature away with null, past the services and without a file. */
export const setSigned = ({ deps }: Pick<TestApp, 'deps'>, applicationId: string, signedAt: string | null) =>
  deps.write(tx => tx.update(leases).set({ signedAt }).where(eq(leases.applicationId, applicationId)).run())

/** A booking of June with a plan, signed now unless told otherwise; its tenant and an admin. */
export async function makePlan(
  app: TestApp,
  { sign = true, ...plan }: PlanOptions & { sign?: boolean } = {},
) {
  const { admin, id, tenant } = await makeLease(app)
  await storePlan(app, id, plan)
  if (sign) await setSigned(app, id, testNow)
  return { admin, id, tenant }
}
