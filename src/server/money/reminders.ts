import { and, eq, gte, lt } from 'drizzle-orm'
import { applications, outbox } from '../../../db/schema.ts'
import { isBooked } from '../../domain/bookings/application-status.ts'
import { planSection } from '../../domain/money/payment-plan-form.ts'
import {
  dueReminder,
  isReminderCurrent,
  type ReminderFacts,
  reminderContent,
  reminderKey,
  reminderMoment,
} from '../../domain/money/payment-plan-reminder.ts'
import { dueSince, selectRecords } from '../bookings/records.ts'
import type { Deps } from '../kernel/deps.ts'
import type { MailSources } from '../messages/define-mail.ts'
import type { ScheduledMailSource } from '../messages/scheduled-mails.ts'
import { currentSite } from '../site/content/published.ts'
import { readSection } from '../site/settings.ts'
import { planStateOf } from './records.ts'
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
    const mails = plans.flatMap(({ applicationId, email, instalments, signedAt }) => {
      const facts = { applicationId, instalments, signedAt, isBooked: true, reminderDays }
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

/** The content of a reminder at delivery; undefined if it no longer applies (PLAN-39). */
export const reminderFacts: MailSources['reminder'] = (deps, { applicationId, stageDate }) => {
  const record = recordOf(deps, applicationId)
  const state = record && planStateOf(deps, deps.db, record)
  if (!record || !state) return undefined
  const { application, lease } = record
  const facts: ReminderFacts = {
    applicationId,
    signedAt: dueSince(lease),
    isBooked: isBooked(application.status) && application.deletedAt === null,
    instalments: state.instalments,
    reminderDays: readSection(deps.db, planSection).body.reminderDays,
    sentKeys: sentKeys(deps, applicationId).get(applicationId) ?? [],
  }
  if (!isReminderCurrent(facts, reminderKey(applicationId, stageDate), momentOf(deps))) return undefined
  const content = reminderContent(state.instalments)
  const { firstName, number } = application
  return content && { firstName, applicationNumber: number, applicationId, content }
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
