import type { ClockSource } from './mail/clock.ts'
import type { MailSources } from './mail/compose.ts'
import { dailyDangers, stillDangers } from './notices/daily-mail.ts'
import { receiptData } from './payments/receipts/receipts.ts'
import { paymentReminders, reminderFacts } from './plans/reminders.ts'

/** What features say in mails when these leave. */
export const mailSources: MailSources = {
  receipt: receiptData,
  reminder: reminderFacts,
  dangers: stillDangers,
}

/** What features mail by the clock. */
export const clockSources: readonly ClockSource[] = [paymentReminders, dailyDangers]
