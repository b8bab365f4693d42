import { futureEventTime } from './clock-skew.ts'
import { type Config, isLoopback } from './config.ts'
import type { FoundNotice, NoticeCheck } from './notice.ts'
import { isLost } from './sealed-settings.ts'

export const missingSettings: NoticeCheck = deps => {
  const { config, provider, mail } = deps
  const noProvider: FoundNotice = {
    id: 'no-provider',
    tone: 'warning',
    title: 'Card payments are not set up',
    detail: 'Until you enter the keys at Site, Server, tenants see the other ways to pay.',
    action: { kind: 'server' },
  }
  const noMail: FoundNotice = {
    id: 'no-mail',
    tone: 'warning',
    title: 'Mail is not set up',
    detail:
      'Until you enter a mail server at Site, Server, mails wait, and passwords cannot be reset by mail.',
    action: { kind: 'server' },
  }
  const noPublishableKey: FoundNotice = {
    id: 'no-publishable-key',
    tone: 'warning',
    title: 'The publishable key is missing',
    detail:
      'Without it the payment page cannot load the provider’s script. Whoever runs the server can set it.',
  }
  const needsPublishableKey =
    config.mode === 'production' && provider && !config.stripe.publishableKey && !provider.publishableKey
  return [
    // What is lost has a notice of its own.
    ...(provider || isLost(deps, 'stripe.secretKey') || isLost(deps, 'stripe.webhookSecret')
      ? []
      : [noProvider]),
    ...(mail || isLost(deps, 'smtp.inUse') ? [] : [noMail]),
    ...(needsPublishableKey ? [noPublishableKey] : []),
  ]
}

/** Whether a site that was installed in the browser still has an address of this machine only. */
export const isOnlyLocal = ({ install, origin }: Config): boolean =>
  install !== undefined && isLoopback(new URL(origin).hostname)

/** Links in mails would lead to the reader's own machine. */
export const localAddress: NoticeCheck = ({ config }) => {
  if (!isOnlyLocal(config)) return []
  return [
    {
      id: 'local-address',
      tone: 'warning',
      title: 'Guests cannot reach the site yet',
      detail: `Its address is ${config.origin}, which only this machine can open. Ask whoever runs the server to set a public one.`,
      action: { kind: 'server' },
    },
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
