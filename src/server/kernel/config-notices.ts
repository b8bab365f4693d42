import { futureEventTime } from './clock-skew.ts'
import type { FoundNotice, NoticeCheck } from './notice.ts'

export const missingSettings: NoticeCheck = ({ config, provider, mail }) => {
  const noProvider: FoundNotice = {
    id: 'no-provider',
    tone: 'warning',
    title: 'Card payments are not set up',
    detail: 'Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET; until then tenants see the other ways to pay.',
  }
  const noMail: FoundNotice = {
    id: 'no-mail',
    tone: 'warning',
    title: 'Mail is not set up',
    detail: 'Set SMTP_URL and MAIL_FROM; until then mails wait, and passwords cannot be reset by mail.',
  }
  const noPublishableKey: FoundNotice = {
    id: 'no-publishable-key',
    tone: 'warning',
    title: 'The publishable key is missing',
    detail: 'Set STRIPE_PUBLISHABLE_KEY, so that the payment page can load the provider’s script.',
  }
  const needsPublishableKey = config.mode === 'production' && provider && !config.stripe.publishableKey
  return [
    ...(provider ? [] : [noProvider]),
    ...(mail ? [] : [noMail]),
    ...(needsPublishableKey ? [noPublishableKey] : []),
  ]
}

/** An event was recorded in what is now the future, so this machine's clock was or is wrong. */
export const clockSkew: NoticeCheck = deps => {
  const ahead = futureEventTime(deps)
  if (ahead === undefined) return []
  return [
    {
      id: 'clock-skew',
      title: 'The server’s clock is wrong',
      detail: `Something was recorded at ${ahead}, which is later than the clock says now. Turn on time synchronisation on the server.`,
    },
  ]
}
