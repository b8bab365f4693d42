/** Characters of a review's text that its card shows before the rest is asked for. */
export const maxReviewCharacters = 120

/** The part of a text that a card shows at first, and what it cuts off, if anything; no character is cut in two. */
export function shortenReview(text: string): { text: string; rest: string } {
  if (text.length <= maxReviewCharacters) return { text, rest: '' }
  const isHalf = /[\ud800-\udbff]/.test(text[maxReviewCharacters - 1] ?? '')
  const end = maxReviewCharacters - (isHalf ? 1 : 0)
  return { text: text.slice(0, end), rest: text.slice(end) }
}
