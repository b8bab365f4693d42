import { z } from 'zod'
import { maxTurnoverNights } from './turnover.ts'

/** A part of the property's settings that is read and saved as one; its schema gives the defaults for `{}`. */
export type Section<Name extends string, Schema extends z.ZodType<object>> = {
  name: Name
  body: Schema
}

export function section<Name extends string, Schema extends z.ZodType<object>>(
  name: Name,
  body: Schema,
): Section<Name, Schema> {
  return { name, body }
}

/** The version that a save must name; 0 until the section was saved once. */
export const sectionVersion = z.int('Please name the version that you change').min(0)

const turnoverMessage = `Please enter a whole number from 0 to ${maxTurnoverNights}`

/** Nights that stay free before and after each booking. */
export const calendarSection = section(
  'calendar',
  z.object({
    turnoverNights: z
      .int(turnoverMessage)
      .min(0, turnoverMessage)
      .max(maxTurnoverNights, turnoverMessage)
      .default(0),
  }),
)
