import { z } from 'zod'
import { filled, lineField, textField } from '../content/content-text.ts'

export const maxQuickReplies = 50

/** What a quick reply can fill in, with what the owner reads. */
export const replyPlaceholders = {
  firstName: 'First name',
  applicationNumber: 'Application number',
  propertyName: 'Property',
  arrival: 'Arrival',
  departure: 'Departure',
  checkIn: 'Check-in time',
  checkOut: 'Check-out time',
  balance: 'Left to pay',
  ownerPhone: 'Your phone',
} as const
type Placeholder = keyof typeof replyPlaceholders

const pattern = /\{\{(\w+)\}\}/g
const unknownIn = (body: string) =>
  [...body.matchAll(pattern)].find(([, name = '']) => !Object.hasOwn(replyPlaceholders, name))?.[0]

/** A quick reply (MSG-14). */
export const quickReplyForm = z.object({
  title: filled(lineField(60)),
  body: filled(textField(2000)).refine(body => unknownIn(body) === undefined, {
    error: ({ input }) => `Unknown placeholder ${unknownIn(String(input))}`,
  }),
})
export const quickReplyChange = quickReplyForm
  .partial()
  .extend({ position: z.int().min(0).max(50).optional() })

/** Fills a quick reply in one pass; a placeholder without a value stays, and is listed (MSG-15). */
export function fillReply(
  body: string,
  values: Partial<Record<Placeholder, string>>,
): { text: string; missing: string[] } {
  const missing = new Set<string>()
  const text = body.replace(pattern, (whole, name: string) => {
    const value = values[name as Placeholder]
    if (!value) missing.add(name)
    return value || whole
  })
  return { text, missing: [...missing] }
}

/** The first placeholder that is still in a text, also a damaged one; undefined if there is none (MSG-15). */
export const leftPlaceholder = (body: string): string | undefined =>
  /\{\{[^{}]{0,60}\}\}|\{\{|\}\}/.exec(body)?.[0]
