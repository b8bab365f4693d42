import { offerFacts, offerMails } from './applications/offers/mails.ts'
import { stayMailFacts, stayMails } from './arrival/mails.ts'
import { wayIn } from './auth/accounts/invitations.ts'
import { mailboxCode } from './auth/factors/mailbox-code.ts'
import { issueToken } from './auth/sessions/access-links.ts'
import { messageFacts, messageMails } from './conversations/mails.ts'
import { type Deps, nowIso } from './kernel/deps.ts'
import { signReminderFacts, signReminders } from './leases/signing/reminders.ts'
import type { MailSources } from './mail/define-mail.ts'
import type { ScheduledMailSource } from './mail/scheduled-mails.ts'
import { depositDueMails, depositFacts } from './money/deposits/watch.ts'
import { receiptForMail } from './money/payments/receipts.ts'
import { paymentReminders, reminderFacts } from './money/reminders.ts'
import { mayLackPayments } from './operations/backup/restored.ts'
import { dailyCriticalNotices, remainingCriticalNotices } from './operations/notices/daily-mail.ts'

/** The features' data for mails, loaded when a mail is sent. */
export const mailSources: MailSources = {
  receipt: receiptForMail,
  mailboxCode,
  reminder: reminderFacts,
  messages: messageFacts,
  deposit: depositFacts,
  stay: stayMailFacts,
  signReminder: signReminderFacts,
  offer: offerFacts,
  wayIn,
  criticalNotices: remainingCriticalNotices,
  token: (deps, linkId) => deps.write(tx => issueToken(tx, nowIso(deps), linkId)),
}

/** The features' scheduled mails. */
export const scheduledMailSources: readonly ScheduledMailSource[] = [
  // After a restore, a payment that is due here may have been made already.
  ...[paymentReminders, depositDueMails, stayMails, offerMails].map(source => ({
    ...source,
    due: (deps: Deps) => (mayLackPayments(deps) ? undefined : source.due(deps)),
  })),
  messageMails,
  signReminders,
  dailyCriticalNotices,
]
