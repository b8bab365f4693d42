import { expect, test } from 'vitest'
import { averageRating } from '../../../domain/content/content-reviews.ts'
import { buildContent } from '../../../testing/build-content.ts'
import { shortenReview } from './reviews-section.tsx'

const { reviews } = buildContent().reviews
const average = (...ratings: number[]) =>
  averageRating(ratings.map(rating => ({ rating, sample: true })))?.average

test('shows a review of up to 120 characters in full, and cuts a longer one at 120 [HOME-24]', () => {
  expect(shortenReview('a'.repeat(120))).toEqual({ text: 'a'.repeat(120), rest: '' })
  expect(shortenReview('a'.repeat(121))).toEqual({ text: 'a'.repeat(120), rest: 'a' })
})

test('does not cut a character in two', () => {
  const text = `${'a'.repeat(119)}🏖️ at last`
  expect(shortenReview(text)).toEqual({ text: 'a'.repeat(119), rest: '🏖️ at last' })
})

test('shows the average with one decimal [HOME-26]', () => {
  expect(average(5, 4)).toBe('4.5')
  expect(average(5, 5, 4)).toBe('4.7')
  expect(average(5)).toBe('5.0')
})

test('the shipped reviews have a rating from 1 to 5, a date, and the time of the stay [HOME-22]', () => {
  for (const review of reviews) {
    expect([1, 2, 3, 4, 5]).toContain(review.rating)
    expect(review.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect([review.name, review.title, review.content, review.stayed].every(Boolean)).toBe(true)
  }
})
