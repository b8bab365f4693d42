import { z } from 'zod'
import { cleanText, filled, lineField, textField } from '../content/content-text.ts'
import { section } from '../content/settings-section.ts'
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

export const maxQuickReplies = 50

/** What a quick reply can fill in. */
export const replyPlaceholders = [
  ...['firstName', 'applicationNumber', 'propertyName', 'arrival', 'departure'],
  ...['checkIn', 'checkOut', 'balance', 'ownerPhone'],
]
const pattern = /\{\{(\w+)\}\}/g
const unknownIn = (body: string) =>
  [...body.matchAll(pattern)].find(([, name = '']) => !replyPlaceholders.includes(name))?.[0]

/** A quick reply (MSG-14). */
export const quickReplyForm = z.object({
  title: filled(lineField(60)),
  body: filled(textField(2000)).refine(body => unknownIn(body) === undefined, {
    error: ({ input }) => `Unknown placeholder ${unknownIn(String(input))}`,
  }),
})
export type QuickReplyForm = z.output<typeof quickReplyForm>

/** The owner's quick replies, in their order. */
export const quickRepliesSection = section(
  'quick_replies',
  z.object({ replies: z.array(quickReplyForm.extend({ id: z.string() })).default([]) }),
)

/** Fills a quick reply in one pass; a placeholder without a value stays, and is listed (MSG-15). */
export function fillReply(body: string, values: Record<string, string | undefined>) {
  const missing = new Set<string>()
  const text = body.replace(pattern, (whole, name: string) => {
    if (!values[name]) missing.add(name)
    return values[name] || whole
  })
  return { text, missing: [...missing] }
}

/** The first placeholder that is still in a text, also a damaged one; undefined if there is none (MSG-15). */
export const leftPlaceholder = (body: string): string | undefined =>
  /\{\{[^{}]{0,60}\}\}|\{\{|\}\}/.exec(body)?.[0]
