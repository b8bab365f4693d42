import type { ClockSource } from './mail/clock.ts'
import type { MailSources } from './mail/compose.ts'
import { dailyDangers, stillDangers } from './notices/daily-mail.ts'
import { receiptData } from './payments/receipts/receipts.ts'
import { paymentReminders, reminderFacts } from './plans/reminders.ts'

/** The features' data for mails, loaded when a mail is sent. */
export const mailSources: MailSources = {
  receipt: receiptData,
  reminder: reminderFacts,
  dangers: stillDangers,
}

/** The features' scheduled mails. */
export const clockSources: readonly ClockSource[] = [paymentReminders, dailyDangers]
