import { bankSection } from '../../domain/payment-plan-form.ts'
import type { Deps } from '../kernel/deps.ts'
import { readSection } from '../setup/service.ts'

/** How a tenant can pay through the provider, and the card fee in hundredths of a percent. */
export function paymentMethodsOf({ config, db, provider }: Deps) {
  const card = provider !== undefined
  return {
    card,
    bank: card && readSection(db, bankSection).body.enabled,
    cardFeeBasisPoints: config.cardFeeBasisPoints,
  }
}
