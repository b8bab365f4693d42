import type { MailSources } from '../server/mail/define-mail.ts'

/** For mails that need no data from features: a receipt fails, reminders and critical notices find nothing to report, and all links end alike. */
export const noMailSources: MailSources = {
  receipt: () => Promise.reject(new Error('no receipt is asked for')),
  mailboxCode: () => undefined,
  reminder: () => undefined,
  messages: async () => undefined,
  deposit: () => undefined,
  stay: async () => undefined,
  signReminder: async () => undefined,
  offer: () => undefined,
  wayIn: async () => undefined,
  criticalNotices: () => undefined,
  token: async () => ({ token: 'token', expiresAt: '2026-06-01T00:00:00.000Z' }),
}
