import { and, eq, gte, lt } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { applications, outbox } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { isMissingEmail, shownEmail } from '../../domain/accounts/account-rules.ts'
import { isBooked } from '../../domain/bookings/application-status.ts'
import { dateIn } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { hasOtherCharges } from '../../domain/money/charge.ts'
import { planRefusals } from '../../domain/money/payment-plan.ts'
import { planSection } from '../../domain/money/payment-plan-form.ts'
import {
  dueReminder,
  isReminderCurrent,
  type OwnReminder,
  openContent,
  type ReminderContent,
  type ReminderFacts,
  reminderContent,
  reminderKey,
  reminderMoment,
} from '../../domain/money/payment-plan-reminder.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import {
  type ApplicationRecord,
  dueSince,
  getSubmittedApplication,
  isSigned,
  selectRecords,
} from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../kernel/deps.ts'
import type { MailSources } from '../mail/define-mail.ts'
import { enqueueMail } from '../mail/outbox.ts'
import type { ScheduledMailSource } from '../mail/scheduled-mails.ts'
import { currentSite } from '../site/content/published.ts'
import { readSection } from '../site/settings.ts'
import { activeCharges, isOneOf, moneyOf, planStateOf } from './records.ts'
import { unpaidPlans } from './unpaid-plans.ts'

/** The due reminders of signed, booked stays (PLAN-37, PLAN-38). */
export const paymentReminders: ScheduledMailSource = {
  name: 'payment reminders',
  due: deps => {
    const plans = unpaidPlans(deps)
    if (plans.length === 0) return undefined
    const moment = momentOf(deps)
    const { reminderDays } = readSection(deps.db, planSection).body
    const sent = sentKeys(deps)
    const mails = plans.flatMap(({ applicationId, email, installments, signedAt }) => {
      const facts = { applicationId, installments, signedAt, isBooked: true, reminderDays }
      const reminder = dueReminder({ ...facts, sentKeys: sent.get(applicationId) ?? [] }, moment)
      if (!reminder) return []
      return {
        kind: 'payment-reminder' as const,
        to: email,
        dedupeKey: reminder.key,
        props: { applicationId, stageDate: reminder.date },
        validUntil: reminder.validUntil.toISOString(),
      }
    })
    return mails.length === 0 ? undefined : { mails }
  },
}

/** The content of a reminder at delivery; undefined if it no longer applies (PLAN-39, LOOK-67). */
export const reminderFacts: MailSources['reminder'] = (deps, { applicationId, byOwner, stageDate }) => {
  const record = recordOf(deps, applicationId)
  if (!record) return undefined
  const content = byOwner
    ? contentNow(deps, record)
    : isCurrent(deps, record, stageDate) && contentNow(deps, record)
  if (!content) return undefined
  const { firstName, number, stayEndDate: end, stayStartDate: start } = record.application
  return { firstName, applicationNumber: number, applicationId, stay: { start, end }, content }
}

/** What a booking has to pay now; undefined for nothing, also before the lease is signed. */
function contentNow(deps: Deps, record: ApplicationRecord): ReminderContent | undefined {
  const { application, lease } = record
  if (!isBooked(application.status) || application.deletedAt !== null) return undefined
  if (lease && !isSigned(lease)) return undefined
  const state = planStateOf(deps, deps.db, record)
  if (state) return reminderContent(state.installments)
  const hasFees = hasOtherCharges(activeCharges(deps.db, application.id))
  const { toPay } = moneyOf(deps.db, application).money
  return openContent(toPay, { firstDay: application.stayStartDate, hasFees, today: todayAt(deps) })
}

function isCurrent(deps: Deps, record: ApplicationRecord, stageDate: string): boolean {
  const state = planStateOf(deps, deps.db, record)
  if (!state) return false
  const { application, lease } = record
  const applicationId = application.id
  const facts: ReminderFacts = {
    applicationId,
    signedAt: dueSince(lease),
    isBooked: isBooked(application.status) && application.deletedAt === null,
    installments: state.installments,
    reminderDays: readSection(deps.db, planSection).body.reminderDays,
    sentKeys: sentKeys(deps, applicationId).get(applicationId) ?? [],
  }
  return isReminderCurrent(facts, reminderKey(applicationId, stageDate), momentOf(deps))
}

type ReminderPreview = { to: string; subject: string; words: string; refusal: string | null }

/** The owner's reminder as it would be sent now, and why it cannot be (LOOK-67). @throws AppError not_found */
export async function previewReminder(
  deps: Deps,
  actor: Admin,
  { applicationId, message }: OwnReminder,
): Promise<ReminderPreview> {
  const record = getSubmittedApplication(deps.db, actor, applicationId)
  const refusal = refusalOf(deps, deps.db, record) ?? null
  const to = shownEmail(record.account.email)
  if (!contentNow(deps, record)) return { to, subject: '', words: '', refusal }
  // Loads the templates only when they are needed.
  const { previewMail } = await import('../mail/compose.ts')
  const mail = {
    kind: 'payment-reminder',
    toAddress: record.account.email,
    props: ownProps(deps, applicationId, message),
  }
  return { to, refusal, ...(await previewMail(deps, mail, { reminder: reminderFacts })) }
}

/**
 * Reminds the guest of what is due, once a day and booking, scheduled reminders included (LOOK-67).
 * @throws AppError not_found; conflict; forbidden for words of one's own without a step-up
 */
export async function sendReminder(deps: Deps, actor: Admin, input: OwnReminder): Promise<void> {
  const { applicationId, message } = input
  await deps.write(tx => {
    const record = getSubmittedApplication(tx, actor, applicationId)
    const refusal = refusalOf(deps, tx, record)
    if (refusal) throw new AppError('conflict', refusal)
    if (message) requireStepUp(deps, tx, actor)
    const at = nowIso(deps)
    const props = ownProps(deps, applicationId, message)
    enqueueMail(tx, at, {
      kind: 'payment-reminder',
      to: record.account.email,
      dedupeKey: reminderKey(applicationId, props.stageDate),
      props,
    })
    recordEvent(tx, at, actor, 'plan.reminded', applicationId, message ? { message } : {})
  })
}

const ownProps = (deps: Deps, applicationId: string, message: string | undefined) => ({
  applicationId,
  stageDate: momentOf(deps).today,
  byOwner: true as const,
  ...(message && { message }),
})

/** Why the owner cannot send a reminder now. */
function refusalOf(
  deps: Deps,
  db: Db,
  record: ApplicationRecord & { account: { email: string } },
): string | undefined {
  if (isMissingEmail(record.account.email)) return planRefusals.noEmail
  if (!contentNow(deps, record)) return planRefusals.nothingToRemind
  return remindedToday(deps, db, [record.application.id]).size > 0 ? planRefusals.remindedToday : undefined
}

/** Which of these bookings had a reminder today, by the owner or by the clock. */
export function remindedToday(deps: Deps, db: Db, applicationIds: readonly string[]): ReadonlySet<string> {
  const { timeZone, today } = momentOf(deps)
  const reminders = db
    .select({ applicationId: outbox.applicationId, createdAt: outbox.createdAt })
    .from(outbox)
    .where(and(eq(outbox.kind, 'payment-reminder'), isOneOf(outbox.applicationId, applicationIds)))
    .all()
  return new Set(
    reminders.flatMap(({ applicationId, createdAt }) =>
      applicationId && dateIn(new Date(createdAt), timeZone) === today ? [applicationId] : [],
    ),
  )
}

const momentOf = (deps: Deps) => reminderMoment(deps.clock.now(), currentSite(deps).timeZone)

const recordOf = ({ db }: Deps, applicationId: string) =>
  selectRecords(db).where(eq(applications.id, applicationId)).get()

/** Keys of the reminders in the outbox, by application. */
function sentKeys({ db }: Deps, applicationId = ''): Map<string, string[]> {
  const prefix = reminderKey(applicationId, '').slice(0, applicationId ? undefined : -1)
  const keys = db
    .select({ key: outbox.dedupeKey })
    .from(outbox)
    .where(and(gte(outbox.dedupeKey, prefix), lt(outbox.dedupeKey, `${prefix}~`)))
    .all()
  return Map.groupBy(
    keys.map(({ key }) => key),
    key => key.split(':')[1] ?? '',
  )
}
