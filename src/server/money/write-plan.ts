import { isDeepStrictEqual } from 'node:util'
import { and, eq, like, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { events, paymentPlans } from '../../../db/schema.ts'
import type { SignedIn } from '../../domain/accounts/access.ts'
import { dateIn } from '../../domain/common/dates.ts'
import { fieldError } from '../../domain/common/errors.ts'
import {
  type CustomRow,
  customInstallments,
  customPlanError,
  type Installment,
  lateFeeOf,
  leaseTotals,
  type NewInstallment,
  type PlanChoice,
  type PlanDraft,
  type PlanSettings,
  type PlanTerms,
  scalePlan,
  writePlan,
} from '../../domain/money/payment-plan.ts'
import { planSection } from '../../domain/money/payment-plan-form.ts'
import { recordEvent } from '../kernel/audit.ts'
import type { Deps } from '../kernel/deps.ts'
import { currentSite } from '../site/content/published.ts'
import { readSection } from '../site/settings.ts'
import { insertInstallments, supersedeInstallments } from './installments.ts'
import { activeCharges, liveInstallments, type PlanRow, planOf } from './records.ts'

/**
 * The requested plan when a lease is written: a kind, or the owner's own payments. `keeps`: dates, rent and deposit are
 * the same, so the plan stays whatever the settings are now.
 */
export type PlanRequest = {
  chosen?: PlanChoice | undefined
  rows?: readonly CustomRow[] | undefined
  keeps?: boolean
}

/** The lease of a plan; `choice` is its previous choice, and `firstSignedAt` keeps dates that have passed since. Cents. */
type PlanLease = Omit<PlanTerms, 'today'> & {
  applicationId: string
  choice: PlanChoice | null
  firstSignedAt: string | null
}

/**
 * The written plan, and whether the payments of the lease, or all payments, were superseded. Waivers of superseded
 * payments become credits.
 */
type StoredPlan = { plan: PlanDraft | null; superseded: 'none' | 'lease' | 'all' }

/**
 * Writes the plan of a lease, in the write of the lease's text and before its charges are settled; `plan` is null for
 * none. A plan that is neither chosen again nor different keeps its rows and its version (PLAN-04, PLAN-05, PLAN-18).
 * @throws AppError bad_request at `instalments` for payments that do not fit the lease
 */
export function storePlan(
  deps: Deps,
  tx: Tx,
  at: string,
  actor: SignedIn,
  { applicationId, choice, firstSignedAt, ...lease }: PlanLease,
  planRequest: PlanRequest = {},
): StoredPlan {
  const today = dateIn(new Date(firstSignedAt ?? at), currentSite(deps).timeZone)
  const row = planOf(tx, applicationId)
  const live = liveInstallments(tx, applicationId)
  const ofLease = live.filter(({ chargeId }) => chargeId === null)
  const before = row ? { kind: row.kind, lateFee: row.lateFee, installments: ofLease } : null
  if (planRequest.keeps && (!before || hasSameTotals(tx, applicationId, lease.charges)))
    return { plan: before, superseded: 'none' }
  const { plan, replaced } = nextPlan(tx, before, choice, { ...lease, today }, planRequest)
  if (!plan) {
    removePlan(tx, at, actor, applicationId, replaced ? 'plan.replaced' : 'plan.removed')
    return { plan, superseded: row ? 'all' : 'none' }
  }
  const isChosen = planRequest.chosen !== undefined || planRequest.rows !== undefined
  if (row && !isChosen && isSamePlan(row, ofLease, plan)) return { plan, superseded: 'none' }
  const { installments, kind, lateFee } = plan
  const values = { kind, lateFee, version: (row?.version ?? lastVersion(tx, applicationId)) + 1, madeAt: at }
  tx.insert(paymentPlans)
    .values({ applicationId, ...values })
    .onConflictDoUpdate({ target: paymentPlans.applicationId, set: values })
    .run()
  supersedeInstallments(
    tx,
    at,
    ofLease.map(({ id }) => id),
  )
  insertInstallments(tx, at, applicationId, installments)
  const event = replaced ? 'plan.replaced' : row ? 'plan.changed' : 'plan.made'
  recordEvent(tx, at, actor, event, applicationId, {
    planVersion: values.version,
    planKind: kind,
    payments: installments.length,
  })
  return { plan, superseded: 'lease' }
}

/** Removes the plan with all its installments; payments stay (PLAN-20). Does nothing without a plan. */
export function removePlan(
  tx: Tx,
  at: string,
  actor: SignedIn,
  applicationId: string,
  event: 'plan.removed' | 'plan.replaced' = 'plan.removed',
): void {
  const row = planOf(tx, applicationId)
  if (!row) return
  const ids = liveInstallments(tx, applicationId).map(({ id }) => id)
  supersedeInstallments(tx, at, ids)
  tx.delete(paymentPlans).where(eq(paymentPlans.applicationId, applicationId)).run()
  recordEvent(tx, at, actor, event, applicationId, { planVersion: row.version, planKind: 'off', payments: 0 })
}

function nextPlan(
  tx: Tx,
  before: PlanDraft | null,
  choice: PlanChoice | null,
  terms: PlanTerms,
  { chosen, keeps, rows }: PlanRequest,
): { plan: PlanDraft | null; replaced: boolean } {
  const { body: settings } = readSection(tx, planSection)
  if (rows) return { plan: customPlan(rows, settings, terms), replaced: false }
  if (before && keeps) return { plan: scalePlan(before, terms), replaced: false }
  return writePlan({ before, chosen, choice, settings, terms })
}

/** Whether the lease's new charges have the totals of the stored ones. */
function hasSameTotals(tx: Tx, applicationId: string, charges: PlanTerms['charges']): boolean {
  const stored = activeCharges(tx, applicationId).filter(({ source }) => source === 'lease')
  return isDeepStrictEqual(leaseTotals(stored), leaseTotals(charges))
}

function customPlan(rows: readonly CustomRow[], settings: PlanSettings, terms: PlanTerms): PlanDraft {
  const problem = customPlanError(rows, terms)
  if (problem) throw fieldError('instalments', problem)
  return { kind: 'custom', lateFee: lateFeeOf(settings), installments: customInstallments(rows, terms) }
}

const isSamePlan = (row: PlanRow, stored: readonly Installment[], plan: PlanDraft) =>
  row.kind === plan.kind &&
  isDeepStrictEqual(row.lateFee, plan.lateFee) &&
  stored.every(({ waivedAt }) => waivedAt === null) &&
  isDeepStrictEqual(stored.map(asWritten), plan.installments.map(asWritten))

const asWritten = ({ amountCents, dueDate, kind, label, position }: NewInstallment) => ({
  position,
  kind,
  label,
  amountCents,
  dueDate,
})

/** The version of the last removed plan, so that a change based on it is stale for a new plan; else 0. */
function lastVersion(tx: Tx, applicationId: string): number {
  const version = sql<number | null>`max(json_extract(${events.detail}, '$.planVersion'))`
  const ofPlan = and(eq(events.subjectId, applicationId), like(events.kind, 'plan.%'))
  return tx.select({ version }).from(events).where(ofPlan).get()?.version ?? 0
}
