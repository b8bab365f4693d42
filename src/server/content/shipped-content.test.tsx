import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Router } from 'wouter'
import { sectionNames } from '../../domain/content.ts'
import type { Block } from '../../domain/content-blocks.ts'
import { parseSection, publishFaults } from '../../domain/content-faults.ts'
import { pictureUses } from '../../domain/content-pictures.ts'
import { paragraphsOf } from '../../domain/content-text.ts'
import { guestLimit } from '../../domain/guest-limit.ts'
import { leaseTemplate } from '../../domain/lease-template.ts'
import { renderLeaseText } from '../../domain/lease-text.ts'
import { sampleLease } from '../../domain/lease-wording.ts'
import { buildContent } from '../../testing/build-content.ts'
import { amenities } from '../../web/content/amenities.ts'
import { contactPage } from '../../web/content/contact.ts'
import { gallery } from '../../web/content/gallery.ts'
import { effectiveDate, type LegalPage } from '../../web/content/legal.ts'
import { pictures } from '../../web/content/pictures.gen.ts'
import { privacy } from '../../web/content/privacy.ts'
import { condo, facts, gettingHere, hero, overview } from '../../web/content/property.ts'
import { reviews, reviewsAreSamples } from '../../web/content/reviews.ts'
import { terms } from '../../web/content/terms.ts'
import { waysToPay } from '../../web/content/ways-to-pay.ts'
import { AmenitiesSection } from '../../web/pages/public/amenities-section.tsx'
import { AvailabilitySection } from '../../web/pages/public/availability-section.tsx'
import { GallerySection } from '../../web/pages/public/gallery-section.tsx'
import { LocationSection } from '../../web/pages/public/location-section.tsx'
import { OverviewSection } from '../../web/pages/public/overview-section.tsx'
import { RatesSection } from '../../web/pages/public/rates-section.tsx'
import { ReviewsSection } from '../../web/pages/public/reviews-section.tsx'
import { sha256 } from '../lib/sha256.ts'
import { parseMarkdown } from './markdown.ts'
import { shippedContent } from './shipped-content.ts'

const content = buildContent()

describe('the shipped words', () => {
  test.each(sectionNames.filter(name => name !== 'identity'))(
    'of %s are stored as they stand here [SITE-01]',
    name => {
      expect(parseSection(name, shippedContent[name], '2026-11-22')).toEqual({ body: shippedContent[name] })
    },
  )

  test('are whole, but for the samples in production [SITE-01] [SITE-05] [SITE-12]', () => {
    expect(publishFaults(content, { isProduction: false })).toEqual({})
    expect(Object.keys(publishFaults(content, { isProduction: true }))).toEqual(['reviews.reviews'])
    expect(new Set(Object.keys(shippedContent))).toEqual(new Set(sectionNames))
    expect(shippedContent.identity).toBeNull()
  })

  test('show only shipped pictures [SITE-01]', () => {
    for (const picture of pictureUses(shippedContent).keys()) expect(Object.keys(pictures)).toContain(picture)
  })
})

describe('the shipped words are those of the pages', () => {
  test('in what stands above the gallery [SITE-01]', () => {
    const { eyebrow, headline, text } = content.hero
    expect({ eyebrow, headline, text }).toEqual(hero)
    expect(content.overview.title).toBe(overview.title)
    expect(paragraphsOf(content.overview.intro)).toEqual(overview.intro)
    expect(paragraphsOf(content.overview.more)).toEqual(overview.more)
    const { items, ...numbers } = content.facts
    expect(numbers).toEqual(condo)
    expect(items).toEqual(facts)
    expect(content.facts.sleeps).toBe(guestLimit)
  })

  test('in gallery, amenities, location, contact and ways to pay [SITE-01]', () => {
    expect(content.gallery.pictures).toEqual(gallery)
    expect(content.amenities.groups).toEqual(amenities)
    const { note, text, title, walks } = content.location
    expect({ title, text, mapNote: note, walks }).toEqual(gettingHere)
    const { directText, directTitle } = content.contact
    expect({ title: 'Contact Us', text: content.contact.text, directTitle, directText }).toEqual(contactPage)
    expect(content.waysToPay.ways).toEqual(waysToPay)
  })

  test('in the reviews, all of them samples of nobody [SITE-01]', () => {
    expect(
      content.reviews.reviews.map(({ applicationId, id: _, sample, ...review }) => {
        expect({ applicationId, sample }).toEqual({ applicationId: null, sample: reviewsAreSamples })
        return review
      }),
    ).toEqual(reviews)
  })

  test.each<[name: 'privacy' | 'terms', page: LegalPage]>([
    ['privacy', privacy],
    ['terms', terms],
  ])('on the page %s, block by block [SITE-01] [SITE-08]', (name, page) => {
    const blocks = page.sections.flatMap(({ paragraphs = [], points, title }): Block[] => [
      { kind: 'heading', level: 2, spans: [{ text: title }] },
      ...paragraphs.map((text): Block => ({ kind: 'paragraph', spans: [{ text }] })),
      ...(points ? [{ kind: 'list' as const, ordered: false, items: points.map(text => [{ text }]) }] : []),
    ])
    expect(parseMarkdown(content[name].text)).toEqual({ blocks, refusedLinks: [] })
    expect(content[name].intro).toBe(page.intro)
    expect(content[name].effective).toBe(effectiveDate)
  })

  test('in the titles and sentences that stand in the sections themselves [SITE-01]', () => {
    const markup = renderToStaticMarkup(
      <Router ssrPath="/">
        <OverviewSection />
        <GallerySection />
        <RatesSection rates={[]} />
        <AvailabilitySection
          today={undefined}
          month="2026-11"
          onMonthChange={() => undefined}
          availability={undefined}
          onRetry={() => undefined}
          rates={[]}
          applyPath="/register"
        />
        <AmenitiesSection />
        <ReviewsSection />
        <LocationSection propertyName="Sea House" propertyAddress="1 Shore Road" />
      </Router>,
    )
    const titles = [...markup.matchAll(/<h2[^>]*>([^<]*)<\/h2>/g)].map(([, title]) => title)
    const named = [
      'overview',
      'gallery',
      'rates',
      'availability',
      'amenities',
      'reviews',
      'location',
    ] as const
    expect(titles).toEqual(named.map(name => content[name].title))
    expect(markup).toContain(`>${content.rates.intro}</p>`)
    expect(markup).toContain(`>${content.availability.intro}</p>`)
    expect(markup).toContain(`alt="${content.overview.alt}"`)
    expect(markup).toContain(`/${content.overview.picture}-`)
  })
})

test('the shipped house rules are the points of section 7 of the lease [SITE-15]', () => {
  expect(leaseTemplate).toContain('7. USE AND HOUSE RULES\n\n{{houseRules}}\n\n8. NO SMOKING')
  expect(content.houseRules.rules).toHaveLength(6)
  // What the lease said before the rules could be changed.
  const text = renderLeaseText({ ...sampleLease, houseRules: content.houseRules.rules })
  expect(sha256(text)).toBe('7255964b3837a078459953e136433ffe23649694cdfb2c6e5d90aad9243a0680')
  expect(content.houseRules.showOnPage).toBe(false)
})
