import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { applications, depositCases, payments } from '../../../../db/schema.ts'
import { addDays, nightsBetween } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { hourOfDateIn, mailHour, startOfDateIn } from '../../../domain/common/zoned-time.ts'
import {
  type Deadline,
  deadlines,
  deadlineTitle,
  depositWarnings,
  freeCents,
  hasLeft,
  reminderDays,
} from '../../../domain/money/deposit-case.ts'
import { heldOf } from '../../../domain/money/transfer-losses.ts'
import { selectRecords } from '../../bookings/records.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { type FoundNotice, type NoticeCheck, openApplication } from '../../kernel/notice.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import type { MailSources } from '../../mail/define-mail.ts'
import { mailState, type QueuedMail } from '../../mail/outbox.ts'
import type { ScheduledMailSource } from '../../mail/scheduled-mails.ts'
import { currentSite } from '../../site/content/published.ts'
import { accountOf, accountsOfUser } from '../accounts.ts'
import { runLegs } from '../payments/returns/run-legs.ts'
import { setCase } from './items.ts'
import {
  type Deposit,
  isOfAnyDeposit,
  openDepositIds,
  openLetters,
  readDeposit,
  readDeposits,
  settingsOf,
  stateOf,
  tellableDeposits,
} from './records.ts'

// What time does to deposits: notices, mails before and after a date, and what happens each minute.

/** What the owner must do about deposits (DEP-15, DEP-35, DEP-40); that more is gone than was held is told by the ledger’s notices. */
export const depositNotices: NoticeCheck = deps => {
  if (!settingsOf(deps.db).enabled) return []
  const firstDate = (deposit: Deposit) => datesOf(deposit)[0]?.date ?? '9'
  const byDate = tellableDeposits(deps).toSorted((a, b) => (firstDate(a) < firstDate(b) ? -1 : 1))
  return [...byDate.flatMap(noticesOf), ...ofDeleted(deps)]
}

/** All notices of a deposit, the gravest first. */
export function noticesOf(deposit: Deposit): FoundNotice[] {
  const { facts, legs, record } = deposit
  const { firstName, id, lastName, number } = record.application
  const name = `${firstName} ${lastName}`
  const action = openApplication(id)
  const failed = legs
    .filter(
      ({ cause, isOpen, state }) =>
        cause === 'deposit' && state === 'failed' && isOpen && facts.heldCents > 0,
    )
    .map(
      (leg): FoundNotice => ({
        id: `deposit-leg-${leg.id}`,
        action,
        title: `${formatCents(leg.totalCents)} of ${name}’s deposit did not go back`,
        detail: `${leg.error ?? 'The refund did not go through.'} The money is still held. Return it again, or by hand.`,
      }),
    )
  const unanswered = legs
    .filter(({ by, kind, state }) => kind === 'deposit' && by !== 'hand' && state === 'waiting')
    // On a later day than the next one, in whatever time zone.
    .filter(({ createdAt }) => createdAt.slice(0, 10) < addDays(facts.today, -1))
    .map(
      (leg): FoundNotice => ({
        id: `deposit-leg-${leg.id}`,
        action,
        title: `The card provider has not answered about ${formatCents(leg.totalCents)} of ${name}’s deposit`,
        detail:
          'It is asked again each minute. Check the saved keys, and look for the refund in its dashboard.',
      }),
    )
  const returnCents = facts.disputedCents === 0 ? freeCents(facts) : 0
  const dates = depositWarnings(name, facts).map(
    ({ detail, kind, title, tone }): FoundNotice => ({
      id: `deposit-${kind}-${id}`,
      tone,
      title,
      action:
        returnCents > 0 && (kind !== 'claim' || facts.claimedCents === 0)
          ? { kind: 'application', applicationId: id, returnCents }
          : action,
      ownMail: true,
      detail: `${number}. ${detail}`,
    }),
  )
  const all = [...dates, ...failed, ...unanswered, ...unsentLetters(deposit)]
  return all.toSorted((a, b) => Number(a.tone === 'warning') - Number(b.tone === 'warning'))
}

const letterWarningDays = 3

/** EVID-27 */
function unsentLetters(deposit: Deposit): FoundNotice[] {
  const { facts, record, rule } = deposit
  const claimEnd = addDays(facts.vacatedOn, rule.claimDays)
  const isNear = facts.today <= claimEnd && nightsBetween(facts.today, claimEnd) <= letterWarningDays
  const [letter] = openLetters(deposit)
  if (!letter || facts.statement || !facts.hasDates || !isNear) return []
  const { firstName, id, lastName } = record.application
  return [
    {
      id: `deposit-letter-${letter.id}`,
      tone: 'warning',
      action: openApplication(id),
      title: `The letter to ${firstName} ${lastName} is printed and not sent`,
      detail: 'Printing stops no date. Send it, and enter its tracking number.',
    },
  ]
}

/** Money of a deleted application is on no other card (DEP-40). */
function ofDeleted({ db }: Deps): FoundNotice[] {
  const stored = sql<number>`sum(${payments.amountCents} - ${payments.refundedAmountCents})`
  return db
    .select({ id: applications.id, number: applications.number, userId: payments.userId })
    .from(payments)
    .innerJoin(applications, eq(applications.id, payments.formerApplicationId))
    .where(
      and(
        ...[isOfAnyDeposit, isNull(payments.applicationId), isNull(payments.voidedAt)],
        ...[isNotNull(applications.deletedAt), eq(payments.status, 'succeeded')],
      ),
    )
    .groupBy(applications.id)
    .having(gt(stored, 0))
    .all()
    .flatMap(({ id, number, userId }) => {
      const account = accountOf(db, { applicationId: null, formerApplicationId: id, userId })
      const { depositCents } = heldOf(account, accountsOfUser(db, userId))
      if (depositCents === 0) return []
      return {
        id: `deposit-deleted-${id}`,
        tone: 'warning' as const,
        title: `${formatCents(depositCents)} of the deposit of ${number} is still held`,
        detail: 'The application was deleted. Its money is under Revenue: return it, and record that.',
      }
    })
}

/** Tells the owner 5, 2 and 0 days before a date of a deposit, and once it is missed (DEP-14, DEP-15). */
export const depositDueMails: ScheduledMailSource = {
  name: 'dates of deposits',
  due: deps => {
    const { db } = deps
    if (!settingsOf(db).enabled) return undefined
    const mails = tellableDeposits(deps)
      .flatMap(deposit => datesOf(deposit).flatMap(deadline => mailOf(deps, deposit, deadline) ?? []))
      .filter(({ dedupeKey }) => mailState(db, dedupeKey) === undefined)
    return mails.length > 0 ? { mails } : undefined
  },
}

const datesOf = ({ facts }: Deposit): Deadline[] => (hasLeft(facts) ? deadlines(facts) : [])

function mailOf(deps: Deps, { facts, record }: Deposit, deadline: Deadline): QueuedMail | undefined {
  const { ownerEmail: to, timeZone } = currentSite(deps)
  const { firstName, id: applicationId, lastName } = record.application
  const { date, daysLeft, kind } = deadline
  const isMissed = daysLeft < 0
  if (deps.clock.now() < hourOfDateIn(facts.today, mailHour, timeZone)) return undefined
  if (!isMissed && !reminderDays.some(days => days === daysLeft)) return undefined
  const endOfDay = startOfDateIn(addDays(facts.today, 1), timeZone)
  return {
    kind: 'owner-deposit-due',
    to,
    props: {
      applicationId,
      date,
      deadline: kind,
      title: deadlineTitle(`${firstName} ${lastName}`, deadline),
    },
    dedupeKey: `deposit-due:${applicationId}:${kind}:${date}:${isMissed ? 'missed' : daysLeft}`,
    ...(!isMissed && { validUntil: endOfDay.toISOString() }),
  }
}

/** Undefined once it is done, or has another date. */
export const depositFacts: MailSources['deposit'] = (deps, { applicationId, date, deadline }) => {
  const record = selectRecords(deps.db).where(eq(applications.id, applicationId)).get()
  if (!record || record.application.deletedAt !== null || !settingsOf(deps.db).enabled) return undefined
  const deposit = readDeposit(deps, deps.db, record)
  if (!deposit || !datesOf(deposit).some(each => each.kind === deadline && each.date === date))
    return undefined
  const { firstName, lastName } = record.application
  const { claimedCents, disputedCents, heldCents, vacatedOn } = deposit.facts
  const { hasLeft } = deposit
  const ofTenant = { tenantName: `${firstName} ${lastName}`, vacatedOn, hasLeft }
  return { ...ofTenant, heldCents: heldCents + disputedCents, claimedCents }
}

/** Goes on with returns, also while deposits are not watched, and keeps the deposits' cases. */
export async function tickDeposits(deps: Deps): Promise<void> {
  await runLegs(deps)
  if (!settingsOf(deps.db).enabled) return
  for (const [i, id] of tickedIds(deps.db).entries()) {
    // Other requests have a turn in between.
    if (i % 10 === 9) await yieldToEventLoop()
    if (changesOf(deps, id))
      await deps.write(tx => {
        const set = changesOf(deps, id)
        if (set) setCase(tx, id, set)
      })
  }
}

function tickedIds(db: Db): string[] {
  const cases = db.select().from(depositCases).where(isNull(depositCases.closedAt)).all()
  return [...new Set([...openDepositIds(db), ...cases.map(row => row.applicationId)])]
}

/**
 * From the day on which the tenant has left a deposit keeps its rule (DEP-04). It is closed once nothing is held or under
 * way, and open again when a refund fails (DEP-38, DEP-40).
 */
function changesOf(deps: Deps, id: string) {
  const [deposit] = readDeposits(deps, [id])
  if (!deposit) return undefined
  const isClosed = stateOf(deposit) === 'closed'
  const wasClosed = deposit.case?.closedAt != null
  const keepsRule = deposit.case?.ruleId == null && (isClosed || hasLeft(deposit.facts))
  if (!keepsRule && isClosed === wasClosed) return undefined
  return {
    ...(keepsRule && { ruleId: deposit.rule.id }),
    ...(isClosed !== wasClosed && { closedAt: isClosed ? nowIso(deps) : null }),
  }
}
