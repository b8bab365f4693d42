import { z } from 'zod'
import type { CalendarDate } from '../common/dates.ts'
import type { FieldErrors } from '../common/errors.ts'
import { plural } from '../common/plural.ts'
import {
  homeSections,
  requiredToPublish,
  type SectionName,
  type SiteContent,
  sectionNames,
  sections,
} from './content.ts'
import { type PublicReview, publicReviews } from './content-reviews.ts'
import { contentMessages, type Parsed, paragraphsOf, parseContent } from './content-text.ts'

/**
 * Parses a whole section as sent by the editor: cleaned, without unknown fields; or its errors, by path within the
 * section (SITE-03, SITE-04, SITE-06, SITE-07, SITE-10). Links, pictures and stays are checked elsewhere.
 * @param today the date at the property
 */
export function parseSection<Name extends SectionName>(
  name: Name,
  given: unknown,
  today: CalendarDate,
): Parsed<SiteContent[Name]> {
  const parsed = parseContent(sections[name], given) as Parsed<SiteContent[Name]>
  if (parsed.fields !== undefined || !('reviews' in parsed.body)) return parsed
  const fields = futureReviews(parsed.body, today)
  return Object.keys(fields).length > 0 ? { fields } : parsed
}

const futureReviews = ({ reviews }: SiteContent['reviews'], today: CalendarDate): FieldErrors =>
  Object.fromEntries(
    reviews.flatMap(({ date }, index) =>
      date > today ? [[`reviews.${index}.date`, contentMessages.invalid]] : [],
    ),
  )

/**
 * The reviews marked as verified without a past stay, by path within the section (SITE-11).
 * @param isPastStay whether the application is completed and its departure is in the past
 */
export function unverifiableReviews(
  { reviews }: SiteContent['reviews'],
  isPastStay: (applicationId: string) => boolean,
): FieldErrors {
  return Object.fromEntries(
    reviews.flatMap(({ applicationId, sample, verified }, index) =>
      verified && !sample && !(applicationId !== null && isPastStay(applicationId))
        ? [[`reviews.${index}.verified`, 'Only a completed stay can be verified']]
        : [],
    ),
  )
}

/** The home page's content for visitors, without the parts that only the owner sees. */
export function homeContent(content: Pick<SiteContent, (typeof homeSections)[number]>): HomeContent {
  const { facts, houseRules, reviews, ...home } = Object.fromEntries(
    homeSections.map(name => [name, content[name]]),
  ) as Pick<SiteContent, (typeof homeSections)[number]>
  return {
    ...home,
    facts: { ...facts, items: facts.items.length > 0 ? facts.items : roomsOf(facts) },
    ...(houseRules.showOnPage && { houseRules }),
    reviews: { ...reviews, reviews: publicReviews(reviews.reviews) },
  }
}

/** What the page says about the condo if the owner lists no facts. */
const roomsOf = ({ bathrooms, bedrooms, sleeps }: SiteContent['facts']): SiteContent['facts']['items'] => [
  ...(bedrooms > 0 ? [{ icon: 'bed', text: plural(bedrooms, 'bedroom') } as const] : []),
  ...(bathrooms > 0 ? [{ icon: 'bath', text: plural(bathrooms, 'bathroom') } as const] : []),
  // A new site sleeps 1, which nobody has entered.
  ...(bedrooms + bathrooms > 0 || sleeps > 1 ? [{ icon: 'guests', text: `Sleeps ${sleeps}` } as const] : []),
]

type HomeContent = Omit<Pick<SiteContent, (typeof homeSections)[number]>, 'houseRules' | 'reviews'> & {
  houseRules?: SiteContent['houseRules']
  reviews: { title: string; reviews: PublicReview[] }
}

/** Size limit of the home page's content as JSON, in bytes (SITE-32). */
export const maxHomeBytes = 60_000

const publishMessages = {
  homeTooLong: 'The words of the home page are too long in all.',
  samples: 'The sample reviews are still in. Remove them, or replace them with what your guests wrote.',
} as const

/**
 * Everything that blocks publishing, by section and path (SITE-05, SITE-12, SITE-32); empty if nothing does. Types are
 * already checked when saving.
 */
export function publishErrors(
  content: SiteContent,
  { isProduction, hasGuestReview = false }: { isProduction: boolean; hasGuestReview?: boolean },
): FieldErrors {
  const missing = sectionNames.flatMap(name => missingIn(sections[name], content[name], [name]))
  const faults: FieldErrors = Object.fromEntries(missing)
  for (const path of missingPictures(content)) faults[path.join('.')] = contentMessages.required(path)
  if (isProduction && !hasGuestReview && content.reviews.reviews.some(({ sample }) => sample))
    faults['reviews.reviews'] = publishMessages.samples
  if (isProduction && content.facts.bedrooms === 0 && content.facts.bathrooms === 0)
    faults['facts.bathrooms'] = contentMessages.noRooms
  if (new TextEncoder().encode(JSON.stringify(homeContent(content))).length > maxHomeBytes)
    faults.home = publishMessages.homeTooLong
  return faults
}

/** Sections that are set to show a picture and have none. */
const missingPictures = ({ contact, location }: SiteContent): string[][] => [
  ...(location.map === 'picture' && location.picture === null ? [['location', 'picture']] : []),
  ...(contact.background === 'picture' && contact.picture === null ? [['contact', 'picture']] : []),
]

/** The required fields that are empty, with their messages. */
function missingIn(
  schema: z.ZodType,
  value: unknown,
  path: readonly string[],
): [path: string, message: string][] {
  if (requiredToPublish.has(schema)) {
    if (Array.isArray(value) && value.length === 0) return [[path.join('.'), contentMessages.noEntry(path)]]
    if (value === '' || value === null) return [[path.join('.'), contentMessages.required(path)]]
  }
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, field]) =>
      missingIn(field as z.ZodType, (value as Record<string, unknown>)[key], [...path, key]),
    )
  if (schema instanceof z.ZodArray)
    return (value as unknown[]).flatMap((entry, index) =>
      missingIn(schema.element as z.ZodType, entry, [...path, String(index)]),
    )
  return []
}

/** Limits beyond which a text would take seconds to parse or to show; real texts stay far below. */
const max = {
  lines: 2000,
  linesInParagraph: 400,
  marks: 4000,
  marksInParagraph: 400,
  listMarkers: 1500,
  listMarkersInLine: 30,
}

const tooMany = (of: string, all: number, inOne: number, one: string) =>
  `A text can have at most ${all.toLocaleString('en-US')} ${of}, and ${one} at most ${inOne}.`

/** Why a text is too large to be parsed as Markdown (FIX-30), as a sentence for its field; undefined if it is not. */
export function markdownLimitError(text: string): string | undefined {
  const paragraphs = paragraphsOf(text)
  const lines = text.split('\n')
  if (
    exceeds(paragraphs.map(countLines), Number.POSITIVE_INFINITY, max.linesInParagraph) ||
    lines.length > max.lines
  )
    return tooMany('lines', max.lines, max.linesInParagraph, 'a paragraph or list')
  if (exceeds(paragraphs.map(countMarks), max.marks, max.marksInParagraph))
    return tooMany('of the characters *, _, [ and ]', max.marks, max.marksInParagraph, 'a paragraph')
  if (exceeds(lines.map(countListMarkers), max.listMarkers, max.listMarkersInLine))
    return tooMany('list markers', max.listMarkers, max.listMarkersInLine, 'a line')
  return undefined
}

const countLines = (paragraph: string) => paragraph.split('\n').length
const countMarks = (paragraph: string) => (paragraph.match(/[*_[\]]/g) ?? []).length
const countListMarkers = (line: string) => /^[\s\d.)+*-]*/.exec(line)?.[0].replace(/[\s\d]/g, '').length ?? 0

const exceeds = (counts: readonly number[], all: number, inOne: number): boolean =>
  counts.some(count => count > inOne) || counts.reduce((total, count) => total + count, 0) > all
