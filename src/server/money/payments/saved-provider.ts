import { stripeSection } from '../../../domain/content/connections.ts'
import { cachedUntilWrite } from '../../kernel/cached-until-write.ts'
import type { Deps } from '../../kernel/deps.ts'
import type { PaymentProvider } from '../../kernel/payment-provider.ts'
import { cardSource, readSealed, sealedText } from '../../kernel/sealed-settings.ts'
import { readSection } from '../../site/settings.ts'
import { connectProvider } from './stripe.ts'

/**
 * The payment provider with the saved keys, connected again after they change (INST-22); undefined until all are saved,
 * and without the key that opens them.
 */
export function createSavedProvider(
  deps: Pick<Deps, 'config' | 'db' | 'key' | 'dataVersion' | 'isWriting'>,
): () => PaymentProvider | undefined {
  let last: { saved: string; provider: PaymentProvider | undefined } = { saved: '', provider: undefined }
  return () => {
    if (cardSource(deps.config) !== 'here') return undefined
    const saved = cachedUntilWrite(deps, 'saved provider', () =>
      [
        sealedText(deps.db, 'stripe.secretKey'),
        sealedText(deps.db, 'stripe.webhookSecret'),
        readSection(deps.db, stripeSection).body.publishableKey,
      ].join(' '),
    )
    if (saved !== last.saved) last = { saved, provider: connectSaved(deps) }
    return last.provider
  }
}

function connectSaved({ config, db, key }: Pick<Deps, 'config' | 'db' | 'key'>): PaymentProvider | undefined {
  const secretKey = readSealed({ key }, db, 'stripe.secretKey')
  const webhookSecret = readSealed({ key }, db, 'stripe.webhookSecret')
  if (!secretKey || !webhookSecret) return undefined
  const { publishableKey } = readSection(db, stripeSection).body
  return { ...connectProvider(config.stripe.apiBase, secretKey, webhookSecret), publishableKey }
}
