import { type ProviderMethod, shareRefund } from './ledger.ts'
import { cardBrandLabel } from './payment.ts'

/** Why money goes back. */
export const legCauses = ['deposit', 'cancellation'] as const
export type LegCause = (typeof legCauses)[number]
export const legKinds = ['deposit', 'other'] as const
/** `card` and `bank` go back through the provider. */
export const legWays = ['card', 'bank', 'hand'] as const
export type LegWay = (typeof legWays)[number]
/** `sent` was accepted by the provider, where it may still fail. */
export const legStates = ['waiting', 'sent', 'done', 'failed', 'withdrawn'] as const
export type LegState = (typeof legStates)[number]

/** Whether a leg has no end yet. */
export const isUnderWay = (state: LegState): boolean => state === 'waiting' || state === 'sent'

/** A payment that can be refunded through the provider. Cents. */
export type ReturnSource = {
  paymentId: string
  by: 'card' | 'bank'
  amountCents: number
  feeCents: number
  /** Refunds of it so far, made and under way, of the total charged. */
  refundedTotalCents: number
  /** What is left of its amount, and of the total charged: a lost dispute takes of both. */
  leftCents: number
  leftTotalCents: number
}

/** One way for money to go back; `paymentId` is null by hand. Cents. */
export type PlannedLeg = {
  by: LegWay
  paymentId: string | null
  amountCents: number
  feeCents: number
  totalCents: number
}

/**
 * How an amount goes back: through the provider to the sources in their order, the rest by hand (DEP-29). The fee of a
 * payment goes back with it, in proportion (DEP-30).
 */
export function planReturn(amountCents: number, sources: readonly ReturnSource[]): PlannedLeg[] {
  let restCents = amountCents
  const legs = sources.flatMap((source): PlannedLeg[] => {
    const cents = Math.min(restCents, source.leftCents)
    if (cents <= 0) return []
    restCents -= cents
    const totalCents = totalToRefund(source, cents)
    const { by, paymentId } = source
    return [{ by, paymentId, amountCents: cents, feeCents: totalCents - cents, totalCents }]
  })
  const hand = {
    by: 'hand',
    paymentId: null,
    amountCents: restCents,
    feeCents: 0,
    totalCents: restCents,
  } as const
  return restCents > 0 ? [...legs, hand] : legs
}

/** The largest refund of which exactly `cents` are amount and the rest is fee (DEP-30). */
export function totalToRefund(
  source: Pick<ReturnSource, 'amountCents' | 'feeCents' | 'refundedTotalCents' | 'leftTotalCents'>,
  cents: number,
): number {
  const before = source.refundedTotalCents
  const amountOf = (total: number) => shareRefund(source, before + total).amountCents
  const wanted = amountOf(0) + cents
  let [fits, tooMuch] = [cents, source.leftTotalCents + 1]
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2)
    if (amountOf(middle) <= wanted) fits = middle
    else tooMuch = middle
  }
  return fits
}

/** 'Visa ending in 4242', 'Bank account ending in 6789', 'Check 1042' or 'By hand': where money goes back to. */
export function sourceLabel({
  cardBrand,
  cardLast4,
  checkNumber = '',
  providerMethod,
}: {
  cardBrand: string | null
  cardLast4: string | null
  checkNumber?: string
  providerMethod: ProviderMethod | null
}): string {
  if (cardBrand === null && providerMethod === null) return checkNumber ? `Check ${checkNumber}` : 'By hand'
  const brand = cardBrandLabel(providerMethod === 'us_bank_account' ? providerMethod : (cardBrand ?? 'card'))
  return cardLast4 ? `${brand} ending in ${cardLast4}` : brand
}
