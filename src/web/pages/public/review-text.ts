/** The number of characters of a review that its card shows initially. */
const maxReviewCharacters = 120

/** The part of a text that a card shows initially, and the rest, if any. Surrogate pairs are not split. */
export function shortenReview(text: string): { text: string; rest: string } {
  if (text.length <= maxReviewCharacters) return { text, rest: '' }
  const isHalf = /[\ud800-\udbff]/.test(text[maxReviewCharacters - 1] ?? '')
  const end = maxReviewCharacters - (isHalf ? 1 : 0)
  return { text: text.slice(0, end), rest: text.slice(end) }
}
