import { z } from 'zod'

/** The id of a record in a request. */
export const recordId = z.string().max(500)
export const withId = z.object({ id: recordId })
export const withApplication = z.object({ applicationId: recordId })
/** The secret of a link that was mailed. */
export const withToken = z.object({ token: z.string().max(200) })
