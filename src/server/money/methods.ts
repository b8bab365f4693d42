import type { Db, Tx } from '../../../db/open.ts'
import { bankSection } from '../../domain/money/payment-plan-form.ts'
import type { Deps } from '../kernel/deps.ts'
import { readFact, writeFact } from '../kernel/installation-facts.ts'
import { readCardFee, readSection } from '../site/settings.ts'

/** How a tenant can pay through the provider, and the card fee in hundredths of a percent. */
export function paymentMethodsOf(deps: Deps) {
  const { db, provider } = deps
  const card = provider !== undefined
  return {
    card,
    bank: card && bankSettings(db).body.enabled && bankRefusal(db) === undefined,
    cardFeeBasisPoints: readCardFee(deps),
  }
}

/** The bank payments section, with the version that a refusal refers to. */
export const bankSettings = (db: Db) => readSection(db, bankSection)

/** The provider's refusal of bank payments. */
type BankRefusal = {
  /** The section's version when the provider was asked: saving the section clears the refusal (BANK-13). */
  version: number
  /** The provider's message. */
  words: string
  /** UTC ISO string. */
  at: string
}
const refusalKey = 'bank_payments_refused'

/** The current refusal: bank payments are on, and the section was not saved since; otherwise undefined. */
export function bankRefusal(db: Db): BankRefusal | undefined {
  const stored = readFact(db, refusalKey)
  if (stored === undefined) return undefined
  const { body, version } = bankSettings(db)
  const refusal = JSON.parse(stored) as BankRefusal
  return body.enabled && refusal.version === version ? refusal : undefined
}

/** Stores that the provider refuses bank payments, until the section is saved. */
export function saveBankRefusal(tx: Tx, refusal: BankRefusal): void {
  writeFact(tx, refusalKey, JSON.stringify(refusal))
}
