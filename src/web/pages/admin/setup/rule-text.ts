import { formatShortDate } from '../../../../domain/common/dates.ts'

type Validity = { validFrom: string | null; validTo: string | null }

/** Describes when a rule applies; empty if it always applies. */
export function describeValidity({ validFrom, validTo }: Validity): string[] {
  return [
    ...(validFrom ? [`Arrivals from ${formatShortDate(validFrom)}`] : []),
    ...(validTo ? [`Arrivals until ${formatShortDate(validTo)}`] : []),
  ]
}
