import { z } from 'zod'
import { userView } from '../../domain/account.ts'
import { adminApplicationView } from '../bookings/presenter.ts'

export const entryResponse = z.strictObject({
  application: adminApplicationView,
  /** A message for blocked nights and one for each broken rule. */
  warnings: z.array(z.string()),
})
export type EntryResponse = z.infer<typeof entryResponse>

/** The same as the response to a login. */
export const acceptedResponse = z.strictObject({ token: z.string(), user: userView })
export type AcceptedResponse = z.infer<typeof acceptedResponse>
