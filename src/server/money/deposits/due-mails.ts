import { eq } from 'drizzle-orm'
import { applications } from '../../../../db/schema.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { hourOfDateIn, mailHour, startOfDateIn } from '../../../domain/common/zoned-time.ts'
import {
  type Deadline,
  deadlines,
  depositWarnings,
  hasLeft,
  reminderDays,
  reminderTitle,
} from '../../../domain/money/deposit-case.ts'
import { selectRecords } from '../../bookings/records.ts'
import type { Deps } from '../../kernel/deps.ts'
import type { MailSources } from '../../messages/define-mail.ts'
import { mailState, type QueuedMail } from '../../messages/outbox.ts'
import type { ScheduledMailSource } from '../../messages/scheduled-mails.ts'
import { currentSite } from '../../site/content/published.ts'
import { type Deposit, readDeposit, settingsOf, tellableDeposits } from './records.ts'

/** Tells the owner 5, 2 and 0 days before a date of a deposit, and once it is missed (DEP-14, DEP-15). */
export const depositDueMails: ScheduledMailSource = {
  name: 'dates of deposits',
  due: deps => {
    const { db } = deps
    if (!settingsOf(db).enabled) return undefined
    const mails = tellableDeposits(deps).flatMap(deposit =>
      datesOf(deposit).flatMap(deadline => mailOf(deps, deposit, deadline) ?? []),
    )
    const fresh = mails.filter(({ dedupeKey }) => mailState(db, dedupeKey) === undefined)
    return fresh.length > 0 ? { mails: fresh } : undefined
  },
}

const datesOf = ({ facts }: Deposit): Deadline[] => (hasLeft(facts) ? deadlines(facts) : [])

function mailOf(deps: Deps, { facts, record }: Deposit, deadline: Deadline): QueuedMail | undefined {
  const { ownerEmail: to, timeZone } = currentSite(deps)
  const { id: applicationId, number } = record.application
  const { date, daysLeft, kind } = deadline
  if (deps.clock.now() < hourOfDateIn(facts.today, mailHour, timeZone)) return undefined
  const of = (title: string) => ({
    ...{ kind: 'owner-deposit-due' as const, to },
    props: { applicationId, date, deadline: kind, title },
  })
  const key = `deposit-due:${applicationId}:${kind}:${date}`
  if (daysLeft < 0) {
    const title = depositWarnings(number, facts).find(each => each.kind === kind)?.title ?? ''
    return { ...of(title), dedupeKey: `${key}:missed` }
  }
  if (!reminderDays.some(days => days === daysLeft)) return undefined
  const validUntil = startOfDateIn(addDays(facts.today, 1), timeZone).toISOString()
  return { ...of(reminderTitle(number, daysLeft)), dedupeKey: `${key}:${daysLeft}`, validUntil }
}

/** Undefined once it is done, or has another date. */
export const depositFacts: MailSources['deposit'] = (deps, { applicationId, date, deadline }) => {
  const record = selectRecords(deps.db).where(eq(applications.id, applicationId)).get()
  if (!record || record.application.deletedAt !== null || !settingsOf(deps.db).enabled) return undefined
  const deposit = readDeposit(deps, deps.db, record)
  if (!deposit || !datesOf(deposit).some(each => each.kind === deadline && each.date === date))
    return undefined
  const { firstName, lastName } = record.application
  return {
    tenantName: `${firstName} ${lastName}`,
    heldCents: deposit.facts.heldCents + deposit.facts.disputedCents,
  }
}
