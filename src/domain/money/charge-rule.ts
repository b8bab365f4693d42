import { z } from 'zod'
import { addMonths, type CalendarDate, type DateRange, nightsBetween } from '../common/dates.ts'
import { anyDate, calendarDate, requiredLine } from '../common/inputs.ts'
import { apiCents, type LastSaved, recordIds, wireDate } from '../common/wire.ts'
import { type FeeTerm, feeKinds, feeUnits, type TaxTerm } from './charge.ts'

const maxRuleCents = 100_000_000
const maxNightsOfRule = 1096

/** Null if the field is empty. */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform(value => value ?? null)
const wholeMessage = (min: number, max: number) =>
  `Please enter a whole number from ${min} to ${max.toLocaleString('en-US')}`
const percentMessage = (max: number) => `Please enter a percentage from 0.01% to ${max}%`
const whole = (min: number, max: number, message = wholeMessage(min, max)) =>
  z.number({ error: message }).int(message).min(min, message).max(max, message)
const flag = z.boolean().default(false)
const validity = { validFrom: optional(calendarDate()), validTo: optional(anyDate()) }
const nights = {
  minNights: optional(whole(1, maxNightsOfRule)),
  maxNights: optional(whole(1, maxNightsOfRule)),
}

type Range<T> = { from: T | null; to: T | null }
const inOrder = <T extends string | number>({ from, to }: Range<T>) =>
  from === null || to === null || from <= to
const hasValidityInOrder = ({ validFrom, validTo }: { validFrom: string | null; validTo: string | null }) =>
  inOrder({ from: validFrom, to: validTo })
const validityError = { path: ['validTo'], error: 'The last day cannot be before the first' }

/** A fee or discount rule as the owner enters it (CHG-15). Cents, basis points. */
export const feeRuleForm = z
  .object({
    kind: z.enum(feeKinds, 'Please choose fee or discount'),
    name: requiredLine(80, 'A name is required'),
    per: z.enum(feeUnits, 'Please choose the unit'),
    amountCents: optional(whole(1, maxRuleCents, 'Please enter an amount from $0.01 to $1,000,000.00')),
    basisPoints: optional(whole(1, 10_000, percentMessage(100))),
    required: flag,
    taxable: flag,
    refundable: flag,
    ...nights,
    ...validity,
  })
  .refine(({ amountCents, per }) => (per === 'rent') === (amountCents === null), {
    path: ['amountCents'],
    error: issue =>
      (issue.input as { per?: string }).per === 'rent'
        ? 'A share of the rent needs a percentage, not an amount'
        : 'Please enter an amount',
  })
  .refine(({ basisPoints, per }) => (per === 'rent') === (basisPoints !== null), {
    path: ['basisPoints'],
    error: issue =>
      (issue.input as { per?: string }).per === 'rent'
        ? 'Please enter a percentage'
        : 'Only a share of the rent has a percentage',
  })
  .refine(({ minNights, maxNights }) => inOrder({ from: minNights, to: maxNights }), {
    path: ['maxNights'],
    error: 'The maximum cannot be below the minimum',
  })
  .refine(hasValidityInOrder, validityError)
export type FeeRuleInput = z.output<typeof feeRuleForm>

/** A tax rule as the owner enters it (CHG-15). */
export const taxRuleForm = z
  .object({
    name: requiredLine(80, 'A name is required'),
    authority: requiredLine(80, 'Please name who collects it, such as the state or the county'),
    basisPoints: whole(1, 5000, percentMessage(50)),
    onRent: flag,
    onFees: flag,
    maxMonths: optional(whole(1, 12)),
    maxNights: optional(whole(1, 366)),
    ...validity,
  })
  .refine(({ onFees, onRent }) => onFees || onRent, {
    path: ['onRent'],
    error: 'Please choose what it applies to: rent, fees or both',
  })
  .refine(({ maxMonths, maxNights }) => maxMonths === null || maxNights === null, {
    path: ['maxNights'],
    error: 'Please set a limit in months or in nights, not both',
  })
  .refine(hasValidityInOrder, validityError)
export type TaxRuleInput = z.output<typeof taxRuleForm>

const wireValidity = { validFrom: wireDate.nullable(), validTo: wireDate.nullable() }

/** A fee or discount rule in responses; unset fields are null. */
export const feeRuleView = z
  .strictObject({
    ...recordIds,
    kind: z.enum(feeKinds),
    name: z.string(),
    per: z.enum(feeUnits),
    amountCents: apiCents.nullable(),
    basisPoints: z.int().nullable(),
    required: z.boolean(),
    taxable: z.boolean(),
    refundable: z.boolean(),
    minNights: z.int().nullable(),
    maxNights: z.int().nullable(),
    ...wireValidity,
  })
  .meta({ id: 'FeeRule' })
export type FeeRule = z.infer<typeof feeRuleView> & LastSaved

/** A tax rule in responses; unset fields are null. */
export const taxRuleView = z
  .strictObject({
    ...recordIds,
    name: z.string(),
    authority: z.string(),
    basisPoints: z.int(),
    onRent: z.boolean(),
    onFees: z.boolean(),
    maxMonths: z.int().nullable(),
    maxNights: z.int().nullable(),
    ...wireValidity,
  })
  .meta({ id: 'TaxRule' })
export type TaxRule = z.infer<typeof taxRuleView> & LastSaved

/** Whether a fee or discount applies to a stay, based on its nights and its first day (CHG-07). */
export function feeApplies(rule: Omit<FeeRule, '_id'>, { end, start }: DateRange): boolean {
  const nights = nightsBetween(start, end)
  return isValidOn(rule, start) && nights >= (rule.minNights ?? 0) && nights <= (rule.maxNights ?? nights)
}

/** Whether a tax applies to a stay, based on its first day, and only up to the rule's months or nights (CHG-13). */
export function taxApplies(rule: Omit<TaxRule, '_id'>, { end, start }: DateRange): boolean {
  if (!isValidOn(rule, start)) return false
  if (rule.maxMonths !== null && end > addMonths(start, rule.maxMonths)) return false
  return rule.maxNights === null || nightsBetween(start, end) <= rule.maxNights
}

type Validity = { validFrom: CalendarDate | null; validTo: CalendarDate | null }

const isValidOn = ({ validFrom, validTo }: Validity, date: CalendarDate) =>
  (validFrom === null || validFrom <= date) && (validTo === null || date <= validTo)

/** Whether two rules share a day of validity, ends included (CHG-14). */
export function validityOverlaps(a: Validity, b: Validity): boolean {
  const startsBeforeEnd = (one: Validity, other: Validity) =>
    inOrder({ from: one.validFrom, to: other.validTo })
  return startsBeforeEnd(a, b) && startsBeforeEnd(b, a)
}

/** The key that identifies an authority: lower case, trimmed. */
export const authorityKey = (authority: string): string => authority.trim().toLowerCase()

/** Copies what a lease needs from a rule. */
export function feeTermOf({
  amountCents,
  basisPoints,
  id,
  kind,
  name,
  per,
  refundable,
  taxable,
}: FeeRule): FeeTerm {
  return { kind, name, per, amountCents, basisPoints, taxable, refundable, feeRuleId: id }
}

/** Copies what a lease needs from a rule. */
export function taxTermOf({ basisPoints, id, name, onFees, onRent }: TaxRule): TaxTerm {
  return { name, basisPoints, onRent, onFees, taxRuleId: id }
}
