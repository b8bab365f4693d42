import { z } from 'zod'
import { isBooked } from '../bookings/application-status.ts'
import { addDays, type CalendarDate } from '../common/dates.ts'
import { cleanText } from '../content/content-text.ts'

/** Who writes: the tenant, or the administrators, who are one side. */
export const sides = ['tenant', 'owner'] as const
export type Side = (typeof sides)[number]

export const maxMessageLength = 5000
export const maxFiles = 5
/** Answers by one link of a mail. */
export const maxAnswersByLink = 20
/** A file that went into no message is set aside after this time. */
export const unsentFileMs = 24 * 60 * 60_000

export const messageTexts = {
  off: 'Messages are switched off here.',
  empty: 'Please write a message or add a file',
  tooLong: 'Please use at most 5,000 characters',
  wrongFiles: 'Please add these files again',
  fileMissing: 'Please choose a file',
  fileTooLarge: 'Please choose a file of at most 10 MB',
  fileTypeWrong: 'Please choose a JPEG, PNG or PDF file',
  linkUsedUp: 'Please log in to write more.',
  deadLink: 'This link is no longer valid.',
  newMeanwhile: 'A new message has come meanwhile.',
  notYet: 'Please enter a time that is not in the future',
  ended: 'This conversation is closed.',
  closed: (ownerEmail: string) => `This conversation is closed. Please write to ${ownerEmail}.`,
} as const

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

export const threadFilters = ['waiting', 'unread', 'all'] as const
export const threadQuery = z.object({
  q: z.string().trim().max(100).optional(),
  filter: z.enum(threadFilters).default('all'),
  page: z.coerce.number().int().min(1).max(10_000).default(1),
})
export const threadsPerPage = 50

const daysAfter = { declined: 14, stay: 90 }

/** Whether writing has ended: 14 days after a decline, 90 days after the last day (MSG-17). */
export function isClosed(
  { endDate, status }: { status: string; endDate: CalendarDate },
  declinedOn: CalendarDate | undefined,
  today: CalendarDate,
): boolean {
  if (status === 'rejected' && declinedOn) return today > addDays(declinedOn, daysAfter.declined)
  return isBooked(status) && today > addDays(endDate, daysAfter.stay)
}

/** Text and `https://` links of a message: only these become links (MSG-02). */
export function splitLinks(body: string): { text: string; isLink: boolean }[] {
  return body
    .split(/(https:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/)
    .map((text, index) => ({ text, isLink: index % 2 === 1 }))
    .filter(({ text }) => text !== '')
}
