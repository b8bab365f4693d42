import type { Review } from './content.ts'

/** A review as visitors get it, without its application (SITE-10). */
export type PublicReview = Omit<Review, 'applicationId'>

/** Sorts the newest first; reviews of the same day keep their order. */
export function newestFirst<Given extends Pick<Review, 'date'>>(reviews: readonly Given[]): Given[] {
  return reviews.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
}

/** Reviews as visitors get them, newest first (SITE-10). */
export function publicReviews(reviews: readonly Review[]): PublicReview[] {
  return newestFirst(reviews).map(({ applicationId: _, ...review }) => review)
}

type Rated = Pick<Review, 'rating' | 'sample'>

/**
 * Count and average of the real reviews, or of the samples if there is no real one (SITE-13). `average` has one
 * decimal; null without any review.
 */
export function averageRating(
  reviews: readonly Rated[],
): { average: string; count: number; areSamples: boolean } | null {
  const real = reviews.filter(({ sample }) => !sample)
  const counted = real.length > 0 ? real : reviews
  if (counted.length === 0) return null
  const sum = counted.reduce((total, { rating }) => total + rating, 0)
  return { average: (sum / counted.length).toFixed(1), count: counted.length, areSamples: real.length === 0 }
}

/**
 * The reviews for search engines: the real ones, newest first, with their average; null if there are none (SITE-13).
 */
export function searchEngineReviews<Given extends Rated & Pick<Review, 'date'>>(
  reviews: readonly Given[],
): { average: string; count: number; reviews: Given[] } | null {
  const real = newestFirst(reviews.filter(({ sample }) => !sample))
  const rating = averageRating(real)
  return rating && { average: rating.average, count: rating.count, reviews: real }
}
