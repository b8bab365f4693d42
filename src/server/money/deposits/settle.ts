import { eq } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { depositItems } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { addDays, dateIn, formatShortDate } from '../../../domain/common/dates.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { depositMessages, depositRefusals, hasLeft, isSettled } from '../../../domain/money/deposit-case.ts'
import type { KeepForm, PlanInput, ReturnForm } from '../../../domain/money/deposit-input.ts'
import { type PlannedLeg, planReturn } from '../../../domain/money/return-plan.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { requireSameRequest } from '../../kernel/same-request.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { currentSite } from '../../site/content/published.ts'
import { closeCanceledCheckouts, requestCancellationOfPaid } from '../payments/checkout/cancel.ts'
import { insertReturn, isPaidAs, paidOn } from '../payments/manual-payments.ts'
import { findPayment } from '../payments/records.ts'
import { type LegRow, legsOf, requireSettledDeposit, sourcesOf, writeLegs } from '../payments/returns/legs.ts'
import { runLegs } from '../payments/returns/run-legs.ts'
import { ledgerOf } from '../records.ts'
import { requireCovered } from './items.ts'
import { type Deposit, loadDeposit } from './records.ts'

/**
 * Keeps all items of the newest statement once it is settled, or after an objection with a note of what was agreed or
 * decided (DEP-27, DEP-28).
 * @throws AppError forbidden without a step-up; not_found; bad_request at `note`; conflict before the tenant has left or
 * the time to object is over, if nothing is left, for another sum than was shown, for more than is held, and while a
 * payment of the deposit is open
 */
export async function keepItems(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  { note, seenClaimedCents }: KeepForm,
): Promise<void> {
  requireStepUp(deps, deps.db, actor)
  const canceled = await deps.write(tx => {
    const deposit = loadDeposit(deps, tx, actor, applicationId)
    const { facts, unkept: items, unpaidCents } = deposit
    const { statement } = facts
    if (items.length === 0) throw new AppError('conflict', depositRefusals.nothingToKeep)
    if (facts.claimedCents !== (seenClaimedCents ?? facts.claimedCents))
      throw new AppError('conflict', depositRefusals.claimChanged)
    if (!hasLeft(facts)) throw new AppError('conflict', depositRefusals.notLeft)
    requireSettledDeposit(tx, applicationId)
    if (!statement?.isCurrent) throw new AppError('conflict', 'Send a statement of these items first.')
    if (statement.objectedAt !== null && note === '')
      throw fieldError('note', 'Please note what was agreed or decided')
    // Not by the state: what is on its way back, or did not go back, hides it.
    if (statement.objectedAt === null && !isSettled(statement, facts.today))
      throw new AppError('conflict', depositMessages.canObject(statement.objectionUntil))
    requireCovered({ heldCents: facts.heldCents - facts.onItsWayCents, unpaidCents }, items)
    const at = nowIso(deps)
    for (const { amountCents, category, id, label } of items) {
      const paysBill = category === 'unpaid'
      const of = { applicationId, kind: 'deduction', checkNumber: '', paidAt: at } as const
      const paymentId = insertReturn(deps, tx, actor, { ...of, amount: amountCents, reason: label, paysBill })
      tx.update(depositItems).set({ keptAt: at, paymentId }).where(eq(depositItems.id, id)).run()
    }
    recordEvent(tx, at, actor, 'deposit.kept', applicationId, { items: items.length, note })
    // What is kept for unpaid need not be paid any more (FIX-02).
    return requestCancellationOfPaid(tx, at, deposit.record.application)
  })
  await closeCanceledCheckouts(deps, canceled)
}

/** How an amount would go back; changes nothing. @throws AppError not_found; conflict */
export function planOfReturn(deps: Deps, actor: Admin, applicationId: string, input: PlanInput) {
  return plan(deps, deps.db, loadDeposit(deps, deps.db, actor, applicationId), input)
}

function plan(
  deps: Deps,
  db: Db,
  { freeCents, record }: Deposit,
  { amountCents = freeCents, route }: PlanInput,
) {
  requireSettledDeposit(db, record.application.id)
  if (amountCents > freeCents || amountCents === 0)
    throw new AppError('conflict', depositMessages.onlyLeft(freeCents))
  const payments = ledgerOf(db, record.application).filter(({ type }) => type === 'deposit')
  const sources = route === 'hand' ? [] : sourcesOf(deps, db, payments)
  const legs = planReturn(amountCents, sources).map(leg => {
    const { cardBrand = null, cardLast4 = null } = payments.find(row => row.id === leg.paymentId) ?? {}
    return { ...leg, cardBrand, cardLast4 }
  })
  const sumOf = (key: 'feeCents' | 'totalCents') => legs.reduce((sum, leg) => sum + leg[key], 0)
  return {
    legs,
    amountCents,
    feeCents: sumOf('feeCents'),
    totalCents: sumOf('totalCents'),
    warnings: youngBankMoney(deps, payments),
  }
}

/** For how long a bank can take a payment back without giving a reason. */
const bankDays = 60

/** DEP-44 */
function youngBankMoney(deps: Deps, payments: ReturnType<typeof ledgerOf>): string[] {
  const { timeZone } = currentSite(deps)
  return payments.flatMap(({ amountCents, paidAt, providerMethod, status }) => {
    if (providerMethod !== 'us_bank_account' || status !== 'succeeded' || !paidAt) return []
    const until = addDays(dateIn(new Date(paidAt), timeZone), bankDays)
    if (until < todayAt(deps)) return []
    return `The bank can still take back ${formatCents(amountCents)} until ${formatShortDate(until)}.`
  })
}

/** Whether this form describes a leg that was already written. */
function isLegOf(
  deps: Deps,
  db: Db,
  leg: LegRow,
  applicationId: string,
  { hand, route }: Pick<ReturnForm, 'hand' | 'route'>,
): boolean {
  if (leg.applicationId !== applicationId) return false
  if (leg.by !== 'hand') return route !== 'hand'
  const row = findPayment(db, leg.rowId ?? '')
  if (!hand || !row || row.voidedAt !== null) return false
  return row.description === hand.note && isPaidAs(deps, row, hand.date, hand.checkNumber)
}

/**
 * Returns a part of the deposit, or all of it: writes all legs first, then asks the provider. The same request gives the
 * same legs and goes on with those that are unfinished. That the provider refuses or does not answer is told by the legs.
 * @throws AppError forbidden without a step-up; not_found; bad_request at `hand`; conflict for more than is free, for
 * another plan than was shown, and while a payment of the deposit is open
 */
export async function returnDeposit(deps: Deps, actor: Admin, applicationId: string, form: ReturnForm) {
  requireStepUp(deps, deps.db, actor)
  const { hand, requestId, totalCents } = form
  const paidAt = paidOn(deps, 'hand', hand?.date)
  const isNew = await deps.write(tx => {
    const deposit = loadDeposit(deps, tx, actor, applicationId)
    const known = legsOf(tx, { causeId: requestId })
    if (known.length > 0) {
      const knownCents = known.reduce((sum, leg) => sum + leg.amountCents, 0)
      const isSame = (form.amountCents ?? knownCents) === knownCents
      requireSameRequest(isSame && known.every(leg => isLegOf(deps, tx, leg, applicationId, form)))
      return false
    }
    const planned = plan(deps, tx, deposit, form)
    if (totalCents !== undefined && totalCents !== planned.totalCents)
      throw new AppError('conflict', depositRefusals.planChanged)
    if (!hand && planned.legs.some(({ by }) => by === 'hand'))
      throw fieldError('hand', 'Please say how the money was returned by hand')
    const byHand = ({ amountCents: amount }: PlannedLeg) =>
      insertReturn(deps, tx, actor, {
        applicationId,
        kind: 'deposit_return',
        amount,
        paidAt,
        checkNumber: hand?.checkNumber ?? '',
        reason: hand?.note ?? '',
      })
    const of = { applicationId, cause: 'deposit', causeId: requestId, kind: 'deposit' } as const
    writeLegs(deps, tx, actor, {
      ...of,
      legs: planned.legs.map(({ cardBrand: _, cardLast4: __, ...leg }) => leg),
      byHand,
    })
    failpoint('in-return-write')
    return true
  })
  failpoint('return-written')
  await runLegs(deps, { causeId: requestId, isNew })
}
