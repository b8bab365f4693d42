import { z } from 'zod'
import type { FieldErrors } from '../common/errors.ts'
import { printableText, toNormalForm } from '../common/printable.ts'
import { labelOf } from './content-label.ts'
import { firstUnknownPlaceholder } from './content-placeholders.ts'

/** Unpaired surrogates, control characters, and bidirectional overrides. */
const disruptive = /(?!\n)[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu
const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g

/**
 * Normalizes a text for storage (SITE-03): NFC, trimmed, `\n` between lines, spaces for tabs, no other control
 * characters and no bidirectional overrides.
 */
export function cleanText(text: string): string {
  return toNormalForm(text.replace(lineBreak, '\n').replaceAll('\t', ' ').replace(disruptive, '')).trim()
}

/** The same for a single line. */
export function cleanLine(text: string): string {
  return cleanText(text.replace(lineBreak, ' '))
}

/** The paragraphs of a text, separated by empty lines. */
export function paragraphsOf(text: string): string[] {
  return text.split(/\n\s*\n/).filter(Boolean)
}

/** The messages for rejected values (SITE-04). */
export const contentMessages = {
  invalid: 'This value is not valid',
  invalidEmail: 'Please enter a valid email address',
  invalidPhone: 'Please enter a valid phone number',
  noRooms: 'Please enter how many bedrooms, bathrooms and guests.',
  noSuchPicture: 'This picture does not exist.',
  alreadyInGallery: 'This picture is in the gallery already.',
  tooLong: (path: readonly PropertyKey[], max: number) =>
    `${labelOf(path)} can be at most ${max.toLocaleString('en-US')} characters long`,
  tooMany: (path: readonly PropertyKey[], max: number) =>
    `${labelOf(path)} can have at most ${max.toLocaleString('en-US')} entries`,
  required: (path: readonly PropertyKey[]) => `${labelOf(path)} is required`,
  noEntry: (path: readonly PropertyKey[]) => `${labelOf(path)} needs at least 1 entry`,
} as const

/** A parsed input ready for storage, or its errors by path; `body` is the path of the whole. */
export type Parsed<Body> = { body: Body; fields?: undefined } | { body?: undefined; fields: FieldErrors }

/** Parses with a content schema; keeps the first message of each field. */
export function parseContent<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
): Parsed<z.output<Schema>> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return { body: parsed.data }
  const fields: FieldErrors = {}
  for (const { message, path } of parsed.error.issues) fields[path.join('.') || 'body'] ??= message
  return { fields }
}

type RawIssue = { code?: string; origin?: string; maximum?: unknown; path?: PropertyKey[] | undefined }

/** Error function for every content schema: `z.string({ error: contentError })`. */
export function contentError({ code, maximum, origin, path = [] }: RawIssue): string {
  if (code !== 'too_big') return contentMessages.invalid
  if (origin === 'string') return contentMessages.tooLong(path, Number(maximum))
  if (origin === 'array') return contentMessages.tooMany(path, Number(maximum))
  return contentMessages.invalid
}

const options = { error: contentError }
const cleaned = (clean: (text: string) => string, max: number) =>
  z
    .string(options)
    // Far longer than any that becomes short enough, so it is not read.
    .max(max * 4, { error: issue => contentError({ ...issue, maximum: max }) })
    .transform(clean)
    .pipe(z.string().max(max, options))

/** One line of plain text. */
export const lineField = (max: number) => cleaned(cleanLine, max)
/** One line that a lease prints (SITE-06). */
export const printedLineField = (max: number) => lineField(max).refine(...printableText)
/** Lines of plain text. */
export const textField = (max: number) => cleaned(cleanText, max)

const knownPlaceholders = [
  (given: string) => firstUnknownPlaceholder(given) === undefined,
  {
    error: ({ input }: { input?: unknown }) =>
      `Unknown placeholder {${firstUnknownPlaceholder(String(input)) ?? ''}}`,
  },
] as const

/** Lines of plain text with placeholders like `{ownerEmail}` (SITE-07). */
export const filledText = (max: number) => textField(max).refine(...knownPlaceholders)
/** Limited Markdown with the same placeholders (SITE-08); its links are checked when it is parsed. */
export const filledMarkdown = filledText

/** A text that is required even for saving, not only for publishing. */
export const filled = <Text extends z.ZodType<string>>(schema: Text) =>
  schema.refine(given => given !== '', { error: ({ path = [] }) => contentMessages.required(path) })

/** A single email address, or empty. */
export const emailField = () =>
  lineField(254).refine(
    given => given === '' || z.email().safeParse(given).success,
    contentMessages.invalidEmail,
  )
/** A telephone number of 7 to 15 digits (SITE-06), or empty. */
export const phoneField = () =>
  lineField(40).refine(given => given === '' || isTelephone(given), contentMessages.invalidPhone)

function isTelephone(given: string): boolean {
  const digits = given.replace(/\D/g, '').length
  return /^[\d +\-.()]+$/.test(given) && digits >= 7 && digits <= 15
}

/** A whole number from `min` to `max`. */
export const integerField = (min: number, max: number) => z.int(options).min(min, options).max(max, options)
/** True or false. */
export const booleanField = () => z.boolean(options)
/** One of these texts. */
export const oneOf = <const Value extends string>(values: readonly Value[]) => z.enum(values, options)
/** A list of at most `max` entries. */
export const list = <Entry extends z.ZodType>(entry: Entry, max: number) =>
  z.array(entry, options).max(max, options)
/** An object with these fields; unknown ones are dropped (SITE-03). */
export const fields = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape, options)
