import { type CalendarDate, nightsBetween } from '../common/dates.ts'
import { formatCents } from '../common/money.ts'
import { plural } from '../common/plural.ts'

/** What the owner decides on when answering an application; money in cents. */
export type Decision = {
  start: CalendarDate
  end: CalendarDate
  guests: number
  phone: string
  /** The rent for all nights; null if a night has no rate. */
  rentCents: number | null
  depositCents: number
  /** The nights that would stay free until the next taken one; null if none is taken within a year. */
  freeBefore: number | null
  freeAfter: number | null
}

/** The rows of a decision without the phone, such as `Rent`, `$1,750.00` (LOOK-61). */
export function decisionRows(decision: Decision): { label: string; value: string }[] {
  const { depositCents, end, freeAfter, freeBefore, guests, rentCents, start } = decision
  return [
    { label: 'Nights', value: String(nightsBetween(start, end)) },
    { label: 'Guests', value: String(guests) },
    { label: 'Rent', value: rentCents === null ? 'No rate for these nights' : formatCents(rentCents) },
    { label: 'Deposit', value: formatCents(depositCents) },
    { label: 'Free before', value: freeText(freeBefore) },
    { label: 'Free after', value: freeText(freeAfter) },
  ]
}

const freeText = (nights: number | null) => (nights === null ? 'Nothing booked' : plural(nights, 'night'))
