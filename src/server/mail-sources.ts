import { mailboxCode } from './factors/mailbox-code.ts'
import { nowIso } from './kernel/deps.ts'
import type { MailSources } from './mail/compose.ts'
import type { ScheduledMailSource } from './mail/scheduled-mails.ts'
import { dailyDangers, remainingDangers } from './notices/daily-mail.ts'
import { receiptData } from './payments/receipts/receipts.ts'
import { paymentReminders, reminderFacts } from './plans/reminders.ts'
import { issueToken } from './sessions/access-links.ts'

/** The features' data for mails, loaded when a mail is sent. */
export const mailSources: MailSources = {
  receipt: receiptData,
  mailboxCode,
  reminder: reminderFacts,
  dangers: remainingDangers,
  token: (deps, linkId) => deps.write(tx => issueToken(tx, nowIso(deps), linkId)),
}

/** The features' scheduled mails. */
export const scheduledMailSources: readonly ScheduledMailSource[] = [paymentReminders, dailyDangers]
