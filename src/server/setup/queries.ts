import { isLiveKey, mailSection, stripeSection } from '../../domain/content/connections.ts'
import type { Deps } from '../kernel/deps.ts'
import { cardSource, describeSealed, mailSource } from '../kernel/sealed-settings.ts'
import { mailInUse } from '../mail/saved-mail.ts'
import { webhookEvents } from '../money/payments/webhook-events.ts'
import { readSection } from '../site/settings.ts'
import { isCodeOpen } from './test-mail.ts'
import type { MailView, StripeView } from './views.ts'

/** Where the provider sends its events. */
export const webhookUrl = ({ config }: Pick<Deps, 'config'>) => `${config.origin}/api/payment/webhook`

/** The mail settings, without any secret. */
export function getMail(deps: Deps): MailView {
  const source = mailSource(deps.config)
  const { body, version } = readSection(deps.db, mailSection)
  return {
    version,
    body,
    source,
    on: deps.mail !== undefined,
    secrets: { password: describeSealed(deps, 'smtp.password', source) },
    isTested: source === 'here' && version > 0 && mailInUse(deps)?.version === version,
    isCodeSent: isCodeOpen(deps),
  }
}

/** The settings of card payments, without any secret. */
export function getStripe(deps: Deps): StripeView {
  const { config, db, provider } = deps
  const source = cardSource(config)
  const { body, version } = readSection(db, stripeSection)
  return {
    version,
    body,
    source,
    on: provider !== undefined,
    isLive: provider?.isLive ?? isLiveKey(body.publishableKey),
    secrets: {
      secretKey: describeSealed(deps, 'stripe.secretKey', source),
      webhookSecret: describeSealed(deps, 'stripe.webhookSecret', source),
    },
    webhook: { url: webhookUrl(deps), events: [...webhookEvents] },
  }
}
