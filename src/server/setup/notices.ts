import { isLiveKey, stripeSection } from '../../domain/content/connections.ts'
import type { FoundNotice, NoticeCheck } from '../kernel/notice.ts'
import { cardSource, isLost, mailSource } from '../kernel/sealed-settings.ts'
import { readSection } from '../site/settings.ts'

/** Guests would be told that their card is declined. */
export const testModeCards: NoticeCheck = deps => {
  if (cardSource(deps.config) !== 'here' || deps.provider === undefined || deps.opening() !== 'open')
    return []
  if (isLiveKey(readSection(deps.db, stripeSection).body.publishableKey)) return []
  return [
    {
      id: 'cards-in-test-mode',
      tone: 'warning',
      title: 'Card payments are in test mode',
      detail: 'Real cards are declined, and no money moves. Enter the live keys at Site, Server.',
      action: { kind: 'server' },
    },
  ]
}

/** Saved secrets that the key of this site does not decrypt: what they open is off (INST-24). */
export const lostSecrets: NoticeCheck = deps => {
  const found: FoundNotice[] = []
  const lacks = 'The site’s key is not the one with which it was saved.'
  if (mailSource(deps.config) === 'here' && isLost(deps, 'smtp.inUse'))
    found.push({
      id: 'mail-secret-lost',
      title: 'Mail is off: its password cannot be read',
      detail: `${lacks} Enter the password of the mail server again at Site, Server; until then mails wait.`,
      action: { kind: 'server' },
    })
  const cards = [
    isLost(deps, 'stripe.secretKey') && 'the secret key',
    isLost(deps, 'stripe.webhookSecret') && 'the secret of the webhook endpoint',
  ].filter(Boolean)
  if (cardSource(deps.config) === 'here' && cards.length > 0)
    found.push({
      id: 'card-secrets-lost',
      title: 'Card payments are off: their keys cannot be read',
      detail: `${lacks} Enter ${cards.join(' and ')} again at Site, Server; until then tenants see the other ways to pay.`,
      action: { kind: 'server' },
    })
  return found
}
