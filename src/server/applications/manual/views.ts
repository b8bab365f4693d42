import { z } from 'zod'
import { accountHistory, userView } from '../../../domain/accounts/account.ts'
import { challengeResponse } from '../../../domain/accounts/account-safety-form.ts'
import { adminApplicationView } from '../../bookings/views.ts'

export const entryResponse = z.strictObject({
  application: adminApplicationView,
  /** A message for blocked nights and one for each broken rule. */
  warnings: z.array(z.string()),
})
export type EntryResponse = z.infer<typeof entryResponse>

/** What was done in the account before, if somebody had registered it. */
const before = accountHistory.nullable()
/** The same as the response to a login. */
export const acceptedResponse = z.union([
  z.strictObject({ token: z.string(), user: userView, before }),
  challengeResponse.extend({ before }),
])
export type AcceptedResponse = z.infer<typeof acceptedResponse>
