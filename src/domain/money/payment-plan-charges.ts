import { addDays, type CalendarDate } from '../common/dates.ts'
import { type ChargeKind, type ChargeSource, sumOf } from './charge.ts'
import { type Installment, type NewInstallment, shareOf } from './payment-plan.ts'
import { inPlanOrder } from './payment-plan-state.ts'

/** A later charge is due this many days after it was added. */
const daysToPay = 7
/** Positions of later charges start here; those of the lease stay below, however often it is rewritten. */
const firstChargePosition = 100

/** A charge of an application, voided or not. Cents. */
export type PlanCharge = {
  id: string
  kind: ChargeKind
  source: ChargeSource
  label: string
  amountCents: number
  /** Null unless the charge is a tax. */
  taxRuleId: string | null
  /** The date at the property when the charge was added. */
  addedOn: CalendarDate
  voidedAt: string | null
}

type ChargeChange = {
  /** Live installments whose charge was voided. */
  supersededIds: string[]
  added: (NewInstallment & Pick<Installment, 'waivedAt'>)[]
}

/**
 * Updates the installments of a plan after its charges change. Each charge above 0 outside the lease has one, due 7
 * days after it was added; installments of a voided charge are removed, and a rewritten tax keeps the dates of the tax
 * that it replaces (PLAN-21). `charges` are all of the application, including voided ones.
 */
export function syncChargeInstallments(
  live: readonly Installment[],
  charges: readonly PlanCharge[],
  today: CalendarDate,
): ChargeChange {
  const later = charges.filter(({ amountCents, source }) => source !== 'lease' && amountCents > 0)
  const standing = new Map(later.flatMap(charge => (charge.voidedAt === null ? [[charge.id, charge]] : [])))
  const ofCharges = live.filter(({ chargeId }) => chargeId !== null)
  const gone = ofCharges.filter(({ chargeId }) => !standing.has(chargeId ?? ''))
  const replaced = Map.groupBy(gone, ({ chargeId }) => chargeId)
  const firstFree = Math.max(firstChargePosition, ...live.map(({ position }) => position + 1))
  const missing = [...standing.values()].filter(({ id }) => !ofCharges.some(row => row.chargeId === id))
  const added = missing.flatMap((charge, i) => {
    const before = later.find(one => replaced.has(one.id) && isTaxBefore(one, charge))
    const parts = before && replaced.get(before.id)
    if (!before || !parts) return [newInstallment(charge, firstFree + i, today)]
    replaced.delete(before.id)
    return redistribute(parts, charge, charge.amountCents - before.amountCents)
  })
  return { supersededIds: gone.map(({ id }) => id), added }
}

/**
 * The sum of the live installments minus what is owed plus credits, in cents: 0 in a consistent plan. Credits are
 * negative charges outside the lease that are not waivers; they fill installments like payments (PLAN-21, PLAN-29).
 */
export function planMismatchCents(
  live: readonly Pick<Installment, 'amountCents'>[],
  charges: readonly Pick<PlanCharge, 'amountCents' | 'kind' | 'source' | 'voidedAt'>[],
): number {
  const standing = charges.filter(({ voidedAt }) => voidedAt === null)
  const isCredit = (charge: (typeof standing)[number]) =>
    charge.amountCents < 0 && charge.source !== 'lease' && !isWaiverCharge(charge)
  return sumOf(live) - sumOf(standing) + sumOf(standing.filter(isCredit))
}

/** Whether a charge subtracts the waived part of an installment from what is owed (PLAN-29). */
export function isWaiverCharge({ kind, source }: Pick<PlanCharge, 'kind' | 'source'>): boolean {
  return source === 'plan' && kind === 'adjustment'
}

const isTaxBefore = (before: PlanCharge, tax: PlanCharge) =>
  tax.taxRuleId !== null && before.taxRuleId === tax.taxRuleId && before.source === tax.source

function newInstallment(
  { addedOn, amountCents, id, kind, label }: PlanCharge,
  position: number,
  today: CalendarDate,
): ChargeChange['added'][number] {
  const dueDate = addDays(addedOn, daysToPay)
  return {
    position,
    kind: kind === 'deposit' ? 'deposit' : 'charge',
    chargeId: id,
    label,
    amountCents,
    dueDate: dueDate > today ? dueDate : null,
    waivedAt: null,
  }
}

/** The parts of a tax for its new amount: the last parts absorb the difference, and waived parts stay waived. */
function redistribute(parts: readonly Installment[], { id, label }: PlanCharge, difference: number) {
  let left = difference
  const changed = parts
    .toSorted(inPlanOrder)
    .toReversed()
    .map(({ id: _, createdAt: __, ...part }) => {
      const amountCents = Math.max(0, part.amountCents + left)
      const added = amountCents - part.amountCents
      left -= added
      return { ...part, chargeId: id, label, amountCents, waivedAt: added > 0 ? null : part.waivedAt }
    })
  const filled = changed.filter(({ amountCents }) => amountCents > 0)
  return filled.length > 0 ? filled.toReversed() : changed.slice(0, 1)
}

/** The part of a charge that an installment of the lease pays. Cents; negative for discounts. */
export type Portion = { chargeId: string; label: string; amountCents: number }

/**
 * The portions of each installment of the lease, by charge, without the deposit, both in their order (PLAN-12). The
 * portions of an installment add up to the installment; those of a charge add up to the charge less its waived part.
 */
export function portionsOf(
  installments: readonly Pick<NewInstallment, 'amountCents'>[],
  charges: readonly { id: string; label: string; amountCents: number }[],
): Portion[][] {
  const cumulatedCharges = cumulated(charges)
  const totalCents = cumulatedCharges.at(-1) ?? 0
  if (totalCents <= 0) return installments.map(() => [])
  const sharesUpTo = (paidCents: number) =>
    cumulatedCharges.map(chargedCents => shareOf(paidCents, chargedCents, totalCents))
  let before = sharesUpTo(0)
  return cumulated(installments).map(paidCents => {
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
