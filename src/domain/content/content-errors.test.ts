import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyContent, buildContent } from '../../testing/build-content.ts'
import type { SiteContent } from './content.ts'
import {
  homeContent,
  maxHomeBytes,
  parseSection,
  publishErrors,
  unverifiableReviews,
} from './content-errors.ts'

const trial = { isProduction: false }
const content = buildContent()
const faultsOf = (changes: Partial<SiteContent>) => publishErrors(buildContent(changes), trial)
const [review] = content.reviews.reviews as [SiteContent['reviews']['reviews'][number]]
const withReviews = (...reviews: Partial<typeof review>[]): SiteContent['reviews'] => ({
  ...content.reviews,
  reviews: reviews.map((changes, index) => ({ ...review, id: `r${index}-`, ...changes })),
})

describe('requirements for publishing', () => {
  test('the shipped content has no faults [SITE-05]', () => {
    expect(publishErrors(content, trial)).toEqual({})
  })

  test('reports all missing fields at once, by section and path [SITE-05]', () => {
    expect(
      faultsOf({
        identity: { companyName: '', propertyName: '', propertyAddress: '', ownerEmail: '', ownerPhone: '' },
        hero: { ...content.hero, headline: '', picture: null, eyebrow: '', alt: '' },
        gallery: { ...content.gallery, pictures: [] },
        facts: { ...content.facts, items: [{ icon: 'bed', text: '' }] },
        amenities: {
          ...content.amenities,
          groups: [
            { icon: 'bed', title: '', items: [] },
            { icon: 'bath', title: 'Bath', items: ['Tub', ''] },
          ],
        },
        waysToPay: { ways: [{ name: '', instructions: '' }] },
        privacy: { effective: '', intro: '', text: '' },
      }),
    ).toEqual({
      'identity.companyName': 'Company name is required',
      'identity.propertyName': 'Property name is required',
      'identity.propertyAddress': 'Property address is required',
      'identity.ownerEmail': 'Owner email is required',
      'identity.ownerPhone': 'Owner phone is required',
      'hero.alt': 'Picture description is required',
      'hero.headline': 'Headline is required',
      'hero.picture': 'Picture is required',
      'facts.items.0.text': 'Text is required',
      'gallery.pictures': 'Pictures needs at least 1 entry',
      'amenities.groups.0.title': 'Title is required',
      'amenities.groups.0.items': 'Items needs at least 1 entry',
      'amenities.groups.1.items.1': 'Items is required',
      'waysToPay.ways.0.name': 'Name is required',
      'waysToPay.ways.0.instructions': 'Instructions is required',
      'privacy.effective': 'Effective is required',
      'privacy.intro': 'Intro is required',
      'privacy.text': 'Text is required',
    })
  })

  test('every gallery picture needs all three fields; a review needs its name, date and text [SITE-05]', () => {
    const gallery = { title: '', pictures: [{ picture: null, caption: '', alt: '' }] }
    expect(
      faultsOf({ gallery, reviews: withReviews({ name: '', date: '', content: '', title: '', stayed: '' }) }),
    ).toEqual({
      'gallery.title': 'Title is required',
      'gallery.pictures.0.picture': 'Picture is required',
      'gallery.pictures.0.caption': 'Caption is required',
      'gallery.pictures.0.alt': 'Picture description is required',
      'reviews.reviews.0.name': 'Name is required',
      'reviews.reviews.0.date': 'Date is required',
      'reviews.reviews.0.content': 'Content is required',
    })
  })

  test('optional lists and 0 do not count as missing [SITE-05]', () => {
    expect(
      faultsOf({
        facts: { ...content.facts, bedrooms: 0, bathrooms: 0, squareFeet: 0, floor: 0 },
        houseRules: { showOnPage: true, rules: [] },
        reviews: { title: 'Reviews', reviews: [] },
        location: { ...content.location, text: '', note: '', walks: [] },
        waysToPay: { ways: [] },
        overview: { ...content.overview, more: '' },
      }),
    ).toEqual({})
  })

  test('a section that shows a picture instead of the map or the video needs one [SITE-05]', () => {
    const changes = {
      location: { ...content.location, map: 'picture' as const },
      contact: { ...content.contact, background: 'picture' as const },
    }
    expect(faultsOf(changes)).toEqual({
      'location.picture': 'Picture is required',
      'contact.picture': 'Picture is required',
    })
    expect(
      faultsOf({
        location: { ...changes.location, picture: 'x' },
        contact: { ...changes.contact, picture: 'y' },
      }),
    ).toEqual({})
  })

  test('a draft with missing fields can be saved [SITE-05]', () => {
    expect(
      parseSection('hero', { ...content.hero, headline: '', picture: null }, '2026-11-22').body,
    ).toBeDefined()
    expect(parseSection('gallery', { title: '', pictures: [] }, '2026-11-22').body).toEqual({
      title: '',
      pictures: [],
    })
  })

  test('each fault names an existing empty field, or has a separate message [SITE-05]', () => {
    fc.assert(
      fc.property(anyContent, any => {
        for (const [path, message] of Object.entries(publishErrors(any, trial))) {
          const value = path
            .split('.')
            .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], any)
          expect([null, ''].includes(value as null) || (Array.isArray(value) && value.length === 0)).toBe(
            true,
          )
          expect(message).toMatch(/ is required$| needs at least 1 entry$/)
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('reviews', () => {
  test('a sample review blocks publishing only in production [SITE-12]', () => {
    const sentence =
      'The sample reviews are still in. Remove them, or replace them with what your guests wrote.'
    const mixed = buildContent({ reviews: withReviews({ sample: false, verified: false }, { sample: true }) })
    expect(publishErrors(mixed, { isProduction: true })).toEqual({ 'reviews.reviews': sentence })
    expect(publishErrors(mixed, trial)).toEqual({})
    for (const reviews of [withReviews(), withReviews({ sample: false, verified: false })])
      expect(publishErrors(buildContent({ reviews }), { isProduction: true })).toEqual({})
  })

  test('a real review is verified only by the application of a past stay [SITE-11]', () => {
    const isPastStay = (applicationId: string) => applicationId === 'past'
    const reviews = withReviews(
      { sample: false, verified: true, applicationId: null },
      { sample: false, verified: true, applicationId: 'past' },
      { sample: false, verified: true, applicationId: 'running' },
      { sample: false, verified: false, applicationId: 'running' },
      { sample: true, verified: true, applicationId: null },
    )
    expect(unverifiableReviews(reviews, isPastStay)).toEqual({
      'reviews.0.verified': 'Only a completed stay can be verified',
      'reviews.2.verified': 'Only a completed stay can be verified',
    })
  })
})

describe("the home page's content", () => {
  test('visitors get no application id of a review, and house rules only if shown [SITE-10, SITE-15]', () => {
    const reviews = withReviews({ applicationId: 'app-7', date: '2025-01-01' }, { date: '2026-01-01' })
    const hidden = homeContent(buildContent({ reviews }))
    expect(JSON.stringify(hidden)).not.toMatch(/applicationId|app-7/)
    expect(hidden.reviews.reviews.map(({ date }) => date)).toEqual(['2026-01-01', '2025-01-01'])
    expect(hidden.houseRules).toBeUndefined()
    const houseRules = { showOnPage: true, rules: ['Quiet hours'] }
    expect(homeContent(buildContent({ houseRules })).houseRules).toEqual(houseRules)
    for (const section of ['identity', 'contact', 'waysToPay', 'privacy', 'terms'])
      expect(hidden).not.toHaveProperty(section)
  })

  test('names the rooms and guests if the owner lists no facts', () => {
    const { facts } = buildContent()
    const textsOf = (changes: Partial<SiteContent['facts']>) =>
      homeContent(buildContent({ facts: { ...facts, ...changes } })).facts.items.map(({ text }) => text)
    expect(textsOf({})).toEqual(facts.items.map(({ text }) => text))
    const rooms = { items: [], bedrooms: 1, bathrooms: 1.5, sleeps: 3 }
    expect(textsOf(rooms)).toEqual(['1 bedroom', '1.5 bathrooms', 'Sleeps 3'])
    expect(textsOf({ items: [], bedrooms: 0, bathrooms: 2 })[0]).toBe('2 bathrooms')
    expect(textsOf({ items: [], bedrooms: 0, bathrooms: 0, sleeps: 1 })).toEqual([])
  })

  test('is at most 60,000 bytes, or a fault is reported for home; other pages do not count [SITE-32]', () => {
    const bytesOf = (changes: Partial<SiteContent>) =>
      new TextEncoder().encode(JSON.stringify(homeContent(buildContent(changes)))).length
    const filled = (last: number) =>
      withReviews(
        ...Array.from({ length: 40 }, (_, i) => ({
          sample: false,
          content: 'ü'.repeat(i < 39 ? 570 : last),
        })),
      )
    const room = maxHomeBytes - bytesOf({ reviews: filled(0) })
    expect(room).toBeGreaterThan(0)
    const [most, more] = [Math.floor(room / 2), Math.floor(room / 2) + 1]
    expect(bytesOf({ reviews: filled(most) })).toBeLessThanOrEqual(60_000)
    expect(faultsOf({ reviews: filled(most) })).toEqual({})
    expect(faultsOf({ reviews: filled(more) })).toEqual({
      home: 'The words of the home page are too long in all.',
    })
    expect(
      faultsOf({
        terms: { ...content.terms, text: 'x'.repeat(30_000) },
        privacy: { ...content.privacy, text: 'x'.repeat(30_000) },
      }),
    ).toEqual({})
  })
})
