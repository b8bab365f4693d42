import { z } from 'zod'
import { type CalendarDate, isCalendarDate } from './dates.ts'
import { maxAmountCents } from './money.ts'
import { isPhone } from './phone.ts'
import { printableText, toNormalForm } from './printable.ts'

/** Schema of any calendar date, such as the last day of what has no end, with the message for a missing or invalid one. */
export function anyDate(message = 'Please enter a valid date') {
  return z.string({ error: message }).refine(isCalendarDate, message)
}

const [firstDate, lastEntered] = ['2000-01-01', '2199-12-31']

/** Whether nothing is planned for a date, because it is so far away. */
export const isTooFar = (date: CalendarDate) => isCalendarDate(date) && date > lastEntered
export const tooFarMessage = 'Please enter a date of Dec 31, 2199 or earlier'

/** The same for a date of something that happens. */
export const calendarDate = (message?: string) =>
  anyDate(message).refine(date => !isTooFar(date), tooFarMessage)

/** A date that may be past; one of the last century is a typo. */
export const pastDate = (message?: string) =>
  calendarDate(message).refine(
    date => date === '' || date >= firstDate,
    'Please enter a date of Jan 1, 2000 or later',
  )

/** A dollar amount in requests: 0 or more, at most two decimals. */
export function dollars(message = 'Please enter a valid amount') {
  return z
    .number({ error: message })
    .min(0, message)
    .max(maxAmountCents / 100, message)
    .refine(value => Number(value.toFixed(2)) === value, 'Amounts have at most two decimals')
}

/** An amount in integer cents, above zero. */
export function positiveCents(message = 'Please enter a valid amount') {
  return z.number({ error: message }).int(message).min(1, message).max(maxAmountCents, message)
}

/** A required phone number, kept as entered. */
export const phoneText = z
  .string({ error: 'Phone number is required' })
  .trim()
  .min(1, 'Phone number is required')
  .max(40, 'Please enter a valid phone number')
  .refine(phone => phone === '' || isPhone(phone), 'Please enter a valid phone number')

/** An optional whole number of a form or a request, both ends inclusive; blank and missing are null. */
export function optionalWhole(min: number, max: number, message: string) {
  return z
    .preprocess((value: string | number | null | undefined) => {
      if (typeof value !== 'string') return value ?? null
      return value.trim() === '' ? null : Number(value)
    }, z.number(message).int(message).min(min, message).max(max, message).nullable())
    .prefault(null)
}

/** How many times as long as in NFC a text can be as typed. */
const longestForm = 4

/** A trimmed text in NFC. A longer one is refused before anything reads it. */
export const boundedText = (
  max: number,
  requiredMessage = 'This value is not valid',
  tooLongMessage = `Please use at most ${max} characters`,
) =>
  z
    .string({ error: requiredMessage })
    .max(max * longestForm, { error: tooLongMessage, abort: true })
    .trim()
    .overwrite(text => toNormalForm(text))
    .max(max, { error: tooLongMessage, abort: true })

/** One line of text in NFC that a lease can print. */
export const line = (max: number, requiredMessage?: string) =>
  boundedText(max, requiredMessage).refine(...printableText)

/** The same, but required. */
export const requiredLine = (max: number, message: string) => line(max, message).min(1, message)

/**
 * Whether to book nights that another calendar has taken: the key of exactly those that were shown, or `true` for what
 * is known when the request arrives (FIX-41).
 */
export const calendarOverride = z.union(
  [z.boolean(), z.string().regex(/^[0-9a-f]{16}$/)],
  'Please send true, or the key of the taken nights',
)
export type CalendarOverride = z.output<typeof calendarOverride>
