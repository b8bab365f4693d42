import { formatCents } from '../../../domain/common/money.ts'
import { type FeeKind, type FeeUnit, formatBasisPoints } from '../../../domain/money/charge.ts'
import type { PlanChoice, PlanKind, SettingKind } from '../../../domain/money/payment-plan.ts'

export const planOptionLabels: Record<SettingKind, string> = {
  off: 'Off',
  full: 'All before arrival',
  split: 'Two parts',
  monthly: 'Monthly',
}

/** The kinds of payment plans, as shown when the settings are not being edited. */
export const planSummaryLabels: Record<SettingKind, string> = { ...planOptionLabels, off: 'No payment plan' }

/** A choice for a single lease; the usual one says what the settings make now: `Usual (no plan)` (LOOK-59). */
export function choiceLabel(choice: PlanChoice, setup: SettingKind): string {
  if (choice === 'setup') return `Usual (${choiceLabel(setup, setup).toLowerCase()})`
  return choice === 'off' ? 'No plan' : planOptionLabels[choice]
}

/** The kinds of plans that a lease can have. */
export const planLabels: Record<PlanKind, string> = { ...planOptionLabels, custom: 'Custom payments' }

export const feeUnitTexts: Record<Exclude<FeeUnit, 'rent'>, string> = {
  stay: 'per stay',
  night: 'per night',
  guest: 'per guest',
  guest_night: 'per guest and night',
}

type FeePrice = { kind: FeeKind; per: FeeUnit; amountCents: number | null; basisPoints: number | null }

/** `$10.00 per night`, `5% of the rent`; for a discount `$10.00 off per night`, `5% off the rent`. */
export function describeFeePrice({ amountCents, basisPoints, kind, per }: FeePrice): string {
  const isDiscount = kind === 'discount'
  if (per === 'rent') return `${formatBasisPoints(basisPoints ?? 0)} ${isDiscount ? 'off' : 'of'} the rent`
  return `${formatCents(amountCents ?? 0)} ${isDiscount ? 'off ' : ''}${feeUnitTexts[per]}`
}
