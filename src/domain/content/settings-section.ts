import { z } from 'zod'
import { maxTurnoverNights } from '../common/guest-limit.ts'

/** A section of the property's settings, which is read and saved as a whole; its schema gives the defaults for `{}`. */
export type Section<Name extends string, Schema extends z.ZodType<object>> = {
  name: Name
  body: Schema
  /** Sets what is the server's, from what was stored. */
  complete?: (saved: z.output<Schema>, before: z.output<Schema>, now: string) => z.output<Schema>
}

export function section<Name extends string, Schema extends z.ZodType<object>>(
  name: Name,
  body: Schema,
): Section<Name, Schema> {
  return { name, body }
}

/** The version that a save must send; 0 until the section is first saved. */
export const sectionVersion = z.int('Please send the version that you are changing').min(0)

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
