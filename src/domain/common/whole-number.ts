import { z } from 'zod'

/** An optional whole number of a form or a request, both ends inclusive; blank and missing are null. */
export function optionalWhole(min: number, max: number, message: string) {
  return z
    .preprocess((value: string | number | null | undefined) => {
      if (typeof value !== 'string') return value ?? null
      return value.trim() === '' ? null : Number(value)
    }, z.number(message).int(message).min(min, message).max(max, message).nullable())
    .prefault(null)
}
