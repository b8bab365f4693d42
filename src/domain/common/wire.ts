import { z } from 'zod'

// Schemas of the values in API responses.

/** Records have their id under both names. */
export const recordIds = { _id: z.string(), id: z.string() }
export const apiCents = z.int().meta({ description: 'US cents' })
export const wireDollars = z.number().meta({ description: 'US dollars, at most two decimals' })
/** A calendar date `YYYY-MM-DD` without a zone. */
export const wireDate = z.iso.date()
/** A UTC timestamp. */
export const wireMoment = z.iso.datetime()
/** The response of a change that returns no data. */
export const messageResponse = z.strictObject({ message: z.string() })
/** When a record was last saved; only the owner's answers include it. */
export type LastSaved = { updatedAt?: string | undefined }
