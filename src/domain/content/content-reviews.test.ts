import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildContent } from '../../testing/build-content.ts'
import { averageRating, newestFirst, publicReviews, searchEngineReviews } from './content-reviews.ts'

const shipped = buildContent().reviews.reviews
const rated = (rating: number, sample = false, date = '2026-01-01') => ({ rating, sample, date })

test('sorts the newest review first, keeps the order of the same day, and puts undated ones last [SITE-10]', () => {
  const given = [
    { id: 'a', date: '2025-01-01' },
    { id: 'b', date: '' },
    { id: 'c', date: '2026-03-01' },
    { id: 'd', date: '2025-01-01' },
  ]
  expect(newestFirst(given).map(({ id }) => id)).toEqual(['c', 'a', 'd', 'b'])
  expect(given[0]?.id).toBe('a')
})

test('hides from visitors which stay a review is about [SITE-10]', () => {
  const [first, ...rest] = shipped
  const reviews = publicReviews([{ ...first, applicationId: 'secret' } as (typeof shipped)[number], ...rest])
  expect(reviews).toHaveLength(shipped.length)
  for (const review of reviews) expect(Object.keys(review)).not.toContain('applicationId')
})

test('without a real review, the average is that of the samples and search engines get none [SITE-13]', () => {
  expect(averageRating(shipped)).toEqual({ average: '4.8', count: 8, areSamples: true })
  expect(searchEngineReviews(shipped)).toBeNull()
  expect(averageRating([])).toBeNull()
  expect(searchEngineReviews([])).toBeNull()
})

test('with a real review, only real ones count [SITE-13]', () => {
  const real = [rated(3, false, '2026-01-01'), rated(4, false, '2026-02-01')]
  const reviews = [rated(5, true), ...real, rated(5, true)]
  expect(averageRating(reviews)).toEqual({ average: '3.5', count: 2, areSamples: false })
  expect(searchEngineReviews(reviews)).toEqual({ average: '3.5', count: 2, reviews: [real[1], real[0]] })
})

test('samples next to a real review do not change the average, however many there are [SITE-13]', () => {
  const rating = fc.integer({ min: 1, max: 5 })
  fc.assert(
    fc.property(fc.array(rating, { minLength: 1 }), fc.array(rating), (real, samples) => {
      const alone = real.map(each => rated(each))
      const mixed = [...samples.map(each => rated(each, true)), ...alone]
      expect(averageRating(mixed)).toEqual(averageRating(alone))
      expect(searchEngineReviews(mixed)).toEqual(searchEngineReviews(alone))
    }),
  )
})
