import { z } from 'zod'
import { filled, lineField, textField } from '../content/content-text.ts'
import { section } from '../content/settings-section.ts'

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
/** The position in the list, starting at 0. */
export const quickReplyChange = quickReplyForm
  .extend({ position: z.int().min(0).max(maxQuickReplies) })
  .partial()
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
