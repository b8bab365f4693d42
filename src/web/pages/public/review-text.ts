import type { Review } from '../../content/reviews.ts'

/** Characters of a review's text that its card shows before the rest is asked for. */
export const maxReviewCharacters = 120

/** The part of a text that a card shows at first, and what it cuts off, if anything. */
export function shortenReview(text: string): { text: string; rest: string } {
  if (text.length <= maxReviewCharacters) return { text, rest: '' }
  return { text: text.slice(0, maxReviewCharacters), rest: text.slice(maxReviewCharacters) }
}

/** The average of all ratings with one decimal; there must be at least one review. */
export function averageRating(reviews: readonly Review[]): string {
  return (reviews.reduce((sum, { rating }) => sum + rating, 0) / reviews.length).toFixed(1)
}
