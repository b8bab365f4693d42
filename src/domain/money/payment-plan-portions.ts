import { type NewInstalment, shareOf } from './payment-plan.ts'

/** The part of a charge that an installment of the lease pays. Cents; negative for discounts. */
export type Portion = { chargeId: string; label: string; amountCents: number }

/**
 * The portions of each installment of the lease, by charge, without the deposit, both in their order (PLAN-12). The
 * portions of an installment add up to the installment; those of a charge add up to the charge less its waived part.
 */
export function portionsOf(
  instalments: readonly Pick<NewInstalment, 'amountCents'>[],
  charges: readonly { id: string; label: string; amountCents: number }[],
): Portion[][] {
  const cumulatedCharges = cumulated(charges)
  const totalCents = cumulatedCharges.at(-1) ?? 0
  if (totalCents <= 0) return instalments.map(() => [])
  const sharesUpTo = (paidCents: number) =>
    cumulatedCharges.map(chargedCents => shareOf(paidCents, chargedCents, totalCents))
  let before = sharesUpTo(0)
  return cumulated(instalments).map(paidCents => {
    const upTo = sharesUpTo(paidCents)
    const parts = upTo.map((cents, k) => cents - (before[k] ?? 0))
    before = upTo
    return charges.map(({ id, label }, k) => ({
      chargeId: id,
      label,
      amountCents: (parts[k] ?? 0) - (parts[k - 1] ?? 0),
    }))
  })
}

function cumulated(items: readonly { amountCents: number }[]): number[] {
  let sum = 0
  return items.map(({ amountCents }) => {
    sum += amountCents
    return sum
  })
}
