import { z } from 'zod'
import { cleanText } from '../content/content-text.ts'
import { maxFiles, maxMessageLength, messageTexts, threadFilters } from './message.ts'

/** A text, cleaned; its length and whether it may be empty are checked after that. */
export const messageBody = z
  .string({ error: messageTexts.empty })
  .max(4 * maxMessageLength, messageTexts.tooLong)
  .transform(cleanText)
  .pipe(z.string().max(maxMessageLength, messageTexts.tooLong))

/** A message to send; the same `requestId` is one message (MSG-02, MSG-03). */
export const messageForm = z
  .object({
    body: messageBody,
    fileIds: z.array(z.string().max(100)).max(maxFiles, `Please add at most ${maxFiles} files`).default([]),
    requestId: z.uuid(),
  })
  .refine(({ body, fileIds }) => body !== '' || fileIds.length > 0, {
    path: ['body'],
    message: messageTexts.empty,
  })
export type MessageForm = z.output<typeof messageForm>

/** What the owner notes of a mail or a call (MSG-11). */
export const noteForm = z.object({
  body: messageBody.pipe(z.string().min(1, messageTexts.empty)),
  at: z.iso.datetime().optional(),
  waiting: z.boolean().default(false),
  requestId: z.uuid(),
})

export const threadQuery = z.object({
  q: z.string().trim().max(100).optional(),
  filter: z.enum(threadFilters).default('all'),
  page: z.coerce.number().int().min(1).max(10_000).default(1),
})
