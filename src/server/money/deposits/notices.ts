import { and, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { applications, payments } from '../../../../db/schema.ts'
import { addDays, nightsBetween } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { depositWarnings } from '../../../domain/money/deposit-case.ts'
import type { Deps } from '../../kernel/deps.ts'
import { type FoundNotice, type NoticeCheck, openApplication } from '../../kernel/notice.ts'
import { type Deposit, openLetters, settingsOf, tellableDeposits } from './records.ts'

/** What the owner must do about deposits (DEP-15, DEP-35, DEP-40); that more is gone than was held is told by the ledger’s notices. */
export const depositNotices: NoticeCheck = deps => {
  if (!settingsOf(deps.db).enabled) return []
  return [...tellableDeposits(deps).flatMap(noticesOf), ...ofDeleted(deps)]
}

/** All notices of a deposit, the gravest first. */
export function noticesOf(deposit: Deposit): FoundNotice[] {
  const { facts, legs, record } = deposit
  const { firstName, id, lastName, number } = record.application
  const action = openApplication(id)
  const name = `${firstName} ${lastName}`
  const ofLegs = legs
    .filter(
      ({ cause, isOpen, state }) =>
        cause === 'deposit' && state === 'failed' && isOpen && facts.heldCents > 0,
    )
    .map(
      (leg): FoundNotice => ({
        ...{ id: `deposit-leg-${leg.id}`, action },
        title: `${formatCents(leg.totalCents)} of the deposit of ${number} did not go back`,
        detail: `${leg.error ?? 'The refund did not go through.'} The money is still held. Return it again, or by hand.`,
      }),
    )
  // On a later day than the next one, in whatever time zone.
  const unanswered = legs
    .filter(
      ({ by, createdAt, kind, state }) =>
        kind === 'deposit' &&
        by !== 'hand' &&
        state === 'waiting' &&
        createdAt.slice(0, 10) < addDays(facts.today, -1),
    )
    .map(
      (leg): FoundNotice => ({
        ...{ id: `deposit-leg-${leg.id}`, action },
        title: `The card provider has not answered about ${formatCents(leg.totalCents)} of the deposit of ${number}`,
        detail:
          'It is asked again each minute. Check the saved keys, and look for the refund in its dashboard.',
      }),
    )
  const dates = depositWarnings(number, facts).map(
    ({ detail, kind, title, tone }): FoundNotice => ({
      ...{ id: `deposit-${kind}-${id}`, tone, title, detail: `${name}. ${detail}`, action },
      ownMail: true,
    }),
  )
  const all = [...dates, ...ofLegs, ...unanswered, ...unsentLetters(deposit)]
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
  return [
    {
      ...{
        id: `deposit-letter-${letter.id}`,
        tone: 'warning',
        action: openApplication(record.application.id),
      },
      title: `The letter for ${record.application.number} is printed and not sent`,
      detail: 'Printing stops no date. Send it, and enter its tracking number.',
    },
  ]
}

/** Money of a deleted application is on no other card (DEP-40). */
function ofDeleted({ db }: Deps): FoundNotice[] {
  const types = sql`('deposit', 'deposit_transfer', 'deposit_return', 'deduction')`
  const held = sql<number>`sum(${payments.amountCents} - ${payments.refundedAmountCents})`
  return db
    .select({ id: applications.id, number: applications.number, held })
    .from(payments)
    .innerJoin(applications, sql`${applications.id} = ${payments.formerApplicationId}`)
    .where(
      and(
        isNull(payments.applicationId),
        isNull(payments.voidedAt),
        isNotNull(applications.deletedAt),
        sql`${payments.status} = 'succeeded' and ${payments.type} in ${types}`,
      ),
    )
    .groupBy(applications.id)
    .having(gt(held, 0))
    .all()
    .map(({ held, id, number }) => ({
      ...{ id: `deposit-deleted-${id}`, tone: 'warning' as const },
      title: `${formatCents(held)} of the deposit of ${number} is still held`,
      detail: 'The application was deleted. Its money is under Revenue: return it, and record that.',
    }))
}
