import type { Review } from '../../content/reviews.ts'

/** Characters of a review's text that its card shows before the rest is asked for (spec §9). */
export const maxReviewCharacters = 120

/** The text as the card first shows it, and whether something was cut off (spec §2 Home). */
export function shortenReview(text: string): { text: string; cut: boolean } {
  if (text.length <= maxReviewCharacters) return { text, cut: false }
  return { text: `${text.slice(0, maxReviewCharacters)}…`, cut: true }
}

/** The average of all ratings with one decimal (spec §9); there must be at least one review. */
export function averageRating(reviews: readonly Review[]): string {
  return (reviews.reduce((sum, { rating }) => sum + rating, 0) / reviews.length).toFixed(1)
}
