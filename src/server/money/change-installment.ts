import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { installments } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { endedMessage } from '../../domain/bookings/application-status.ts'
import { AppError } from '../../domain/common/errors.ts'
import { planMessages, planRefusals } from '../../domain/money/payment-plan.ts'
import { chargedLateFee, postpone, waive } from '../../domain/money/payment-plan-change.ts'
import type { LateFeeInput, PostponeInput, WaiveInput } from '../../domain/money/payment-plan-form.ts'
import type { PlanInstallment } from '../../domain/money/payment-plan-state.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import {
  getApplicationRow,
  getSubmittedApplication,
  isSigned,
  type OwnApplication,
} from '../bookings/records.ts'
import { touchApplication } from '../bookings/terms.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import type { PlanChangeMail } from '../mail/mails/plans.tsx'
import { enqueueMail } from '../mail/outbox.ts'
import { decideLateFee, type InstallmentRow, markWaived, replaceInstallment } from './installments.ts'
import { insertLaterCharge } from './later-charges.ts'
import { lateFeeRuleOf, planViewIn } from './queries.ts'
import { balanceFacts, decidedLateFees, type PlanState, planStateOf } from './records.ts'
import { insertWaiver, settleCharges } from './settle-charges.ts'
import type { PlanView } from './views.ts'

/** A stored installment with its state as of today, its application and its plan. */
type LoadedInstallment = {
  record: OwnApplication
  state: PlanState
  row: InstallmentRow
  installment: PlanInstallment
}

/** @throws AppError not_found; conflict for a superseded installment (PLAN-30) */
function loadInstallment(deps: Deps, tx: Tx, actor: Admin, id: string): LoadedInstallment {
  const row = tx.select().from(installments).where(eq(installments.id, id)).get()
  if (!row) throw new AppError('not_found', 'Payment not found')
  const record = getSubmittedApplication(tx, actor, row.applicationId)
  const state = planStateOf(deps, tx, record)
  const installment = state?.installments.find(one => one.id === id)
  if (!state || !installment) throw new AppError('conflict', planMessages.changed)
  return { record, state, row, installment }
}

/**
 * Loads an installment for changes that need a signed lease. @throws AppError like `loadInstallment`; conflict also
 * before signing and for a declined application
 */
function loadSignedInstallment(deps: Deps, tx: Tx, actor: Admin, id: string): LoadedInstallment {
  const loaded = loadInstallment(deps, tx, actor, id)
  const { application, lease } = loaded.record
  const ended = endedMessage(application.status, planRefusals.fixed)
  if (ended) throw new AppError('conflict', ended)
  if (!isSigned(lease)) throw new AppError('conflict', planRefusals.notSigned)
  return loaded
}

/**
 * Moves the open part of an installment, or some of it, to a later date, and mails the tenant (PLAN-28, PLAN-31).
 * Cents.
 * @throws AppError not_found; conflict before signing, and if the installment was changed, is paid, waived or on its
 * way; bad_request for the date and for more than is open
 */
export function postponeInstallment(
  deps: Deps,
  actor: Admin,
  id: string,
  { reason, ...wanted }: PostponeInput,
): Promise<PlanView> {
  return deps.write(tx => {
    const { installment, record, row, state } = loadSignedInstallment(deps, tx, actor, id)
    const { application } = record
    const parts = postpone(installment, wanted, state.day.today)
    const at = nowIso(deps)
    replaceInstallment(tx, at, row, parts, reason)
    touchApplication(tx, at, application.id)
    const amountCents = parts.at(-1)?.amountCents ?? 0
    const { dueDate } = wanted
    recordEvent(tx, at, actor, 'plan.postponed', application.id, {
      instalmentId: id,
      label: row.label,
      amountCents,
      from: installment.dueDate,
      to: dueDate,
      reason,
    })
    mailPlanChanged(
      tx,
      at,
      actor,
      record,
      { change: 'postponed', label: row.label, amountCents, dueDate },
      id,
    )
    return planViewIn(deps, tx, actor, application.id)
  })
}

/**
 * Removes the open part of an installment from what is owed, and mails the tenant (PLAN-29, PLAN-31).
 * @throws AppError forbidden without a step-up; not_found; conflict before signing, for the deposit, while part of it is
 * on its way, and if it was changed, is paid or waived
 */
export function waiveInstallment(
  deps: Deps,
  actor: Admin,
  id: string,
  { reason, seenCents }: WaiveInput,
): Promise<PlanView> {
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const { installment, record, row } = loadSignedInstallment(deps, tx, actor, id)
    const { application } = record
    const left = waive(installment, seenCents)
    const at = nowIso(deps)
    const { amountCents, label } = left.charge
    const createdBy = actor.userId
    const waived = { installmentId: id, label, amountCents, createdBy }
    const charge = insertWaiver(tx, at, application.id, waived)
    settleCharges(deps, tx, at, application.id)
    markWaived(tx, at, id, left.amountCents, reason)
    touchApplication(tx, at, application.id)
    const waivedCents = -amountCents
    recordEvent(tx, at, actor, 'plan.waived', application.id, {
      instalmentId: id,
      chargeId: charge.id,
      label: row.label,
      amountCents: waivedCents,
      reason,
    })
    const change = { change: 'waived' as const, label: row.label, amountCents: waivedCents }
    mailPlanChanged(tx, at, actor, record, change, charge.id)
    return planViewIn(deps, tx, actor, application.id)
  })
}

/**
 * Charges the proposed late fee of an installment, or less, in cents, and mails the tenant as for any later charge
 * (PLAN-33).
 * @throws AppError not_found; conflict if none is proposed, one was charged or dismissed, or the installment was
 * changed; bad_request for more than is proposed
 */
export function chargeLateFee(deps: Deps, actor: Admin, id: string, input: LateFeeInput): Promise<PlanView> {
  return deps.write(tx => {
    const { cents, record, row } = loadProposed(deps, tx, actor, id, input)
    const charge = insertLaterCharge(
      deps,
      tx,
      actor,
      record,
      { kind: 'late_fee', label: planMessages.lateFee(row.label), amountCents: cents, taxable: false },
      'plan',
    )
    const at = nowIso(deps)
    decideLateFee(tx, at, actor, id, charge.id)
    recordEvent(tx, at, actor, 'plan.late_fee_charged', row.applicationId, {
      instalmentId: id,
      chargeId: charge.id,
      label: row.label,
      amountCents: cents,
    })
    return planViewIn(deps, tx, actor, row.applicationId)
  })
}

/**
 * Dismisses the late fee of an installment for good (PLAN-34).
 * @throws AppError not_found; conflict as for charging it
 */
export function dismissLateFee(deps: Deps, actor: Admin, id: string): Promise<PlanView> {
  return deps.write(tx => {
    const { cents, row } = loadProposed(deps, tx, actor, id)
    const at = nowIso(deps)
    decideLateFee(tx, at, actor, id, null)
    recordEvent(tx, at, actor, 'plan.late_fee_dismissed', row.applicationId, {
      instalmentId: id,
      label: row.label,
      proposedCents: cents,
    })
    return planViewIn(deps, tx, actor, row.applicationId)
  })
}

/** The installment and the late fee to charge for it. @throws AppError like `chargeLateFee` */
function loadProposed(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  id: string,
  input?: LateFeeInput,
): LoadedInstallment & { cents: number } {
  const loaded = loadInstallment(deps, tx, actor, id)
  const { installment, record, state } = loaded
  const isDecided = decidedLateFees(tx, record.application.id).has(id)
  return {
    ...loaded,
    cents: chargedLateFee(lateFeeRuleOf(record, state), installment, isDecided, input),
  }
}

/** Mails the tenant that an installment was postponed or waived, once per `occasion` (PLAN-31). */
function mailPlanChanged(
  tx: Tx,
  at: string,
  actor: Admin,
  { account, application: { firstName, id, number } }: OwnApplication,
  change: PlanChangeMail,
  occasion: string,
): void {
  enqueueMail(tx, at, {
    kind: 'plan-changed',
    props: {
      ...change,
      firstName,
      applicationNumber: number,
      applicationId: id,
      ...balanceFacts(tx, getApplicationRow(tx, actor, id)),
    },
    to: account.email,
    dedupeKey: `plan-changed:${occasion}`,
  })
}
