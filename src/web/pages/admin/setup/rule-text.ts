import { formatShortDate } from '../../../../domain/dates.ts'

type Validity = { validFrom: string | null; validTo: string | null }

/** When a rule applies, in words; nothing where it always does. */
export function describeValidity({ validFrom, validTo }: Validity): string[] {
  return [
    ...(validFrom ? [`Arrivals from ${formatShortDate(validFrom)}`] : []),
    ...(validTo ? [`Arrivals until ${formatShortDate(validTo)}`] : []),
  ]
}
