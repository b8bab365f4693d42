import type { MailSources } from '../server/mail/compose.ts'

/** For mails that ask no feature: a receipt is refused, all else is no longer true. */
export const noMailSources: MailSources = {
  receipt: () => Promise.reject(new Error('no receipt is asked for')),
  reminder: () => undefined,
  dangers: () => [],
}
