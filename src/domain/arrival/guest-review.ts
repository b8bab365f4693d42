import { z } from 'zod'
import { addDays, type CalendarDate, formatMonth } from '../common/dates.ts'
import { dayMs } from '../common/durations.ts'
import { newestFirst } from '../content/content-reviews.ts'

export const reviewStates = ['waiting', 'published', 'hidden', 'withdrawn'] as const
export type ReviewState = (typeof reviewStates)[number]
/** How the guest's name is shown: 'Anna M.', 'Anna' or 'A guest'. */
export const reviewNames = ['initial', 'first', 'none'] as const
export type ReviewName = (typeof reviewNames)[number]

/** Why a review is hidden, in the words for the guest (REVIEW-07). */
export const hidingReasons = {
  private: 'It has private details',
  abusive: 'It is abusive',
  unrelated: 'It is not about the stay',
  untrue: 'It is not true',
}
export type HidingReason = keyof typeof hidingReasons
export const hidingReason = z.enum(Object.keys(hidingReasons) as [HidingReason, ...HidingReason[]])

/** A review can be changed, waits for the owner, and its reply can be changed, for 14 days (REVIEW-04, 06, 09). */
export const reviewPeriodMs = 14 * dayMs
/** A guest can write until 90 days after the last day (REVIEW-02). */
export const lastDayToWrite = (endDate: CalendarDate): CalendarDate => addDays(endDate, 90)
const maxShownReviews = 30

export const reviewTexts = {
  off: 'Reviews are switched off here.',
  deadLink: 'This link is no longer valid.',
  notStayed: 'Only guests who have stayed can write a review.',
  ended: (date: string) => `The time to write a review ended on ${date}.`,
  second: 'You have written a review already.',
  stale: 'This review was changed meanwhile.',
  fixed: 'This review can no longer be changed.',
  withdrawn: 'The guest has withdrawn this review.',
  secret: 'This review has a code or the Wi-Fi password. Please change that first, or hide the review.',
  secretInMail: 'Please read it on the site.',
  notPublished: 'Please publish the review first.',
  replyFixed: 'This reply can no longer be changed.',
  rating: 'Please choose 1 to 5 stars',
  text: 'Please write 20 to 1,500 characters',
  title: 'Please use at most 80 characters',
  name: 'Please choose how your name is shown',
  reply: 'Please write 1 to 1,000 characters',
}

type Clean = (text: string) => string

/** A text whose length counts when it is cleaned. */
export const cleanedText = (clean: Clean, min: number, max: number, message: string) =>
  z
    .string(message)
    .max(4 * max, message)
    .transform(clean)
    .pipe(z.string().min(min, message).max(max, message))

/** A guest's review, with how its texts are cleaned: the browser has no need for all of it (REVIEW-03). */
export const reviewFormWith = (line: Clean, text: Clean) =>
  z.object({
    rating: z.int(reviewTexts.rating).min(1, reviewTexts.rating).max(5, reviewTexts.rating),
    title: cleanedText(line, 0, 80, reviewTexts.title).default(''),
    text: cleanedText(text, 20, 1500, reviewTexts.text),
    name: z.enum(reviewNames, reviewTexts.name),
  })
export type ReviewForm = z.output<ReturnType<typeof reviewFormWith>>

/** The guest's name as the page shows it. */
export function shownReviewName(name: ReviewName, guest: { firstName: string; lastName: string }): string {
  const [initial] = guest.lastName.trim()
  if (name === 'none') return 'A guest'
  return name === 'initial' && initial ? `${guest.firstName} ${initial.toUpperCase()}.` : guest.firstName
}

type GuestReview = { applicationId: string; id: string; rating: number; state: ReviewState } & {
  name: string
  title: string
  text: string
  endDate: CalendarDate
  date: CalendarDate
  reply: string | null
}
type OwnReview = { applicationId: string | null; rating: number; sample: boolean; date: string }

/**
 * The reviews of the page: the guests' published ones with the owner's own, newest first. Of a stay only the guest's
 * counts. Average and count are over hidden ones, too (REVIEW-08); `rating` is missing until a guest's review counts.
 * Samples are gone for good from the first publication on, also of a stay that was deleted since (REVIEW-11).
 */
export function pageReviews<Own extends OwnReview>(
  guests: readonly GuestReview[],
  given: readonly Own[],
  hasPublished: boolean,
) {
  const counted = guests.filter(({ state }) => state === 'published' || state === 'hidden')
  const byGuests = new Set<string | null>(counted.map(({ applicationId }) => applicationId))
  const own = given
    .filter(({ applicationId, sample }) => !(sample && hasPublished) && !byGuests.has(applicationId))
    .map(({ applicationId: _, ...review }) => review)
  const published = counted
    .filter(({ state }) => state === 'published')
    .map(({ date, endDate, id, name, rating, reply, text, title }) => ({
      id,
      name,
      rating,
      date,
      title,
      content: text,
      stayed: formatMonth(endDate),
      verified: true,
      sample: false,
      reply: reply === null ? null : { text: reply },
    }))
  const all = newestFirst([...published, ...own])
  if (counted.length === 0) return { reviews: all }
  const ratings = [...counted, ...own.filter(({ sample }) => !sample)].map(({ rating }) => rating)
  const reviews = all.slice(0, maxShownReviews)
  const shown = reviews.filter(({ sample }) => !sample).length
  return { reviews, rating: { ...averageOf(ratings), notShown: ratings.length - shown } }
}

/** With one decimal. */
function averageOf(ratings: readonly number[]): { average: number; count: number } {
  const sum = ratings.reduce((total, rating) => total + rating, 0)
  return { average: Number((sum / ratings.length).toFixed(1)), count: ratings.length }
}
