import { z } from 'zod'
import { userView } from '../../domain/account.ts'
import { adminApplicationView } from '../bookings/presenter.ts'

export const entryAnswer = z.strictObject({
  application: adminApplicationView,
  /** A message for blocked nights and one for each broken rule. */
  warnings: z.array(z.string()),
})
export type EntryAnswer = z.infer<typeof entryAnswer>

/** The same as the response to a login. */
export const acceptedAnswer = z.strictObject({ token: z.string(), user: userView })
export type AcceptedAnswer = z.infer<typeof acceptedAnswer>
