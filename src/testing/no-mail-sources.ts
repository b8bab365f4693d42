import type { MailSources } from '../server/mail/compose.ts'

/** For mails that need no data from features: a receipt fails, reminders and warnings find nothing to report. */
export const noMailSources: MailSources = {
  receipt: () => Promise.reject(new Error('no receipt is asked for')),
  reminder: () => undefined,
  dangers: () => [],
}
