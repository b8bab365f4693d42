import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Router } from 'wouter'
import { openDatabase } from '../../../../db/open.ts'
import type { PageContent } from '../../../domain/content/content-views.ts'
import type { ContentPage } from '../../../domain/content/public-pages.ts'
import { pageContent, waysToPay } from '../../../server/site/queries.ts'
import { buildContent } from '../../../testing/build-content.ts'
import { AmenitiesSection } from './amenities-section.tsx'
import { AvailabilitySection } from './availability-section.tsx'
import { GallerySection } from './gallery-section.tsx'
import { HeroSection } from './hero-section.tsx'
import { LocationSection } from './location-section.tsx'
import { OverviewSection } from './overview-section.tsx'
import { RatesSection } from './rates-section.tsx'
import type { RateRow } from './rates-table.tsx'
import { ReviewsSection } from './reviews-section.tsx'
import { SectionTabs } from './section-tabs.tsx'
import { type SiteFacts, TemplateText } from './template-text.tsx'

/** The markup without the content of `<noscript>`. */
const markup = (element: React.ReactElement) =>
  renderToStaticMarkup(<Router ssrPath="/">{element}</Router>).replaceAll(/<noscript>.*?<\/noscript>/gs, '')
/** The visible text: tags are replaced by spaces. */
const words = (element: React.ReactElement) =>
  markup(element)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('the home page states how many guests the property sleeps [FIX-17]', () => {
  expect(home.facts.sleeps).toBe(4)
})

const { db } = openDatabase(':memory:')
/** The shipped content. */
const deps = {
  db,
  config: { cardFeeBasisPoints: 250, mode: 'demo' },
  siteContent: () => ({ version: 0, document: buildContent(), content: buildContent(), unreadable: [] }),
} as unknown as Parameters<typeof pageContent>[0]
function contentOf<Page extends ContentPage>(page: Page) {
  return pageContent(deps, page).content as Extract<PageContent, { page: Page }>['content']
}
const home = contentOf('home')
const headingsOf = (page: 'privacy' | 'terms') =>
  Object.values(contentOf(page))
    .flatMap(({ blocks }) => blocks)
    .flatMap(block => (block.kind === 'heading' ? block.spans.map(({ text }) => text) : []))

const rate = (id: string): RateRow => ({
  id,
  period: `Period ${id}`,
  startDate: '2026-06-01',
  endDate: '2026-08-31',
  nightly: 210,
  weekendNight: null,
  weekly: 1300,
  monthly: 3900.5,
  minStay: 7,
})

test('APPLY NOW links to the registration, or to the form for a tenant [HOME-01, LOOK-45]', () => {
  for (const path of ['/register', '/application'])
    expect(markup(<HeroSection hero={home.hero} applyPath={path} />)).toMatch(
      new RegExp(`<a [^>]*href="${path}"[^>]*>APPLY NOW</a>`),
    )
})

test('the overview states the facts about the property [HOME-02]', () => {
  const text = words(<OverviewSection overview={home.overview} facts={home.facts} />)
  for (const fact of [
    '2 bedrooms',
    '2 bathrooms',
    'Sleeps 4',
    'About 990 sq ft',
    'Second floor',
    '10 feet from the beach',
    'Non-smoking',
  ])
    expect(text).toContain(fact)
})

test('the tab bar links to the seven sections in order [HOME-03]', () => {
  const links = [...markup(<SectionTabs hasAmenities />).matchAll(/href="#(\w+)"[^>]*>(\w+)</g)].map(
    ([, id, label]) => [id, label],
  )
  const names = ['Overview', 'Gallery', 'Rates', 'Availability', 'Amenities', 'Reviews', 'Location']
  expect(links).toEqual(names.map(name => [name.toLowerCase(), name]))
})

test('amenities that the owner has not listed have neither a section nor a tab', () => {
  expect(markup(<AmenitiesSection amenities={{ title: 'Amenities', groups: [] }} />)).toBe('')
  const hidden = /<li hidden=""><a href="#amenities"/
  expect(markup(<SectionTabs hasAmenities={false} />)).toMatch(hidden)
  expect(markup(<SectionTabs hasAmenities />)).not.toMatch(hidden)
})

test('the gallery shows 12 pictures, each with a caption and a description [HOME-06]', () => {
  const html = markup(<GallerySection gallery={home.gallery} />)
  expect(html.match(/<figure/g)).toHaveLength(12)
  const text = words(<GallerySection gallery={home.gallery} />)
  for (const { caption, alt } of home.gallery.pictures) {
    expect(text).toContain(caption)
    expect(html).toContain(`alt="${alt}"`)
  }
})

test('shows five rate periods initially, with prices in US dollars [HOME-07]', () => {
  const text = words(<RatesSection content={home.rates} rates={['1', '2', '3', '4', '5', '6'].map(rate)} />)
  expect(text).toContain('Period 5')
  expect(text).not.toContain('Period 6')
  expect(text).toContain('View More Periods')
  expect(text).toContain('$210.00')
  expect(text).toContain('$3,900.50')
  expect(
    words(<RatesSection content={home.rates} rates={['1', '2', '3', '4', '5'].map(rate)} />),
  ).not.toContain('View More Periods')
})

test('shows a message and no sample if there are no rates [HOME-08]', () => {
  const text = words(<RatesSection content={home.rates} rates={[]} />)
  expect(text).toContain('No rates available at this time.')
  expect(text).toContain('Write to us or apply, and we will tell you the price.')
  expect(text).not.toContain('Sample')
  const html = markup(<RatesSection content={home.rates} rates={[]} />)
  expect(html).toMatch(/<a [^>]*href="\/contact"[^>]*>Ask for a price/)
  expect(html).toMatch(/<p hidden="">In US dollars/)
})

test('shows five sample rates, marked as samples, if loading the rates failed [HOME-09, HOME-10, HOME-11]', () => {
  const html = markup(<RatesSection content={home.rates} rates="failed" />)
  expect(html).toContain('Sample rates: live rates could not be loaded.')
  const rows = [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) =>
      // Each cell repeats its column's name for the cards on narrow screens.
      cell.replace(/<span class="shrink-0[^>]*>[^<]*<\/span>/, '').replaceAll(/<[^>]*>/g, ''),
    ),
  )
  expect(rows).toEqual([
    ['Period', 'Nightly', 'Weekend', 'Weekly', 'Monthly', 'Min stay'],
    ['Off Season (Sep-May)', '$150.00', '-', '-', '-', '3 nights'],
    ['Peak Season (Jun-Aug)', '$200.00', '-', '-', '-', '7 nights'],
    ['Holiday Weekends', '$250.00', '-', '-', '-', '3 nights'],
    ['Monthly', '-', '-', '-', '$3,500.00', '30 nights'],
    ['Weekly', '-', '-', '$1,200.00', '-', '7 nights'],
  ])
})

test('marks the calendar as a sample only if the availability could not be loaded [HOME-21]', () => {
  const planner = {
    today: '2026-11-21',
    month: '2026-11',
    onMonthChange: () => undefined,
    onRetry: () => undefined,
    rates: [],
    applyPath: '/register',
    content: home.availability,
  }
  const failed = words(<AvailabilitySection {...planner} availability="failed" />)
  expect(failed).toContain('This is a sample calendar')
  expect(failed).toContain('The live availability could not be loaded.')
  const live = words(
    <AvailabilitySection {...planner} availability={{ entries: [], knownUntil: '2027-03-31' }} />,
  )
  expect(live).not.toContain('sample')
})

test('shows three reviews initially, marked as samples and not as verified [HOME-22, HOME-23, LOOK-30]', () => {
  const html = markup(<ReviewsSection reviews={home.reviews} />)
  expect(html.match(/<article/g)).toHaveLength(3)
  expect(html.match(/>Sample</g)).toHaveLength(3)
  const text = words(<ReviewsSection reviews={home.reviews} />)
  expect(text).toContain('Show All')
  const [first, , , fourth] = home.reviews.reviews
  expect(text).not.toContain('Verified')
  const genuine = home.reviews.reviews.map(review => ({ ...review, sample: false }))
  expect(words(<ReviewsSection reviews={{ ...home.reviews, reviews: genuine }} />)).toContain(
    `${first?.name} Verified`,
  )
  expect(text).toContain(`Stayed ${first?.stayed}`)
  expect(text).not.toContain(fourth?.title)
})

test('the location section shows the address and the distance, and loads nothing from other sites [HOME-28]', () => {
  const section = (
    <LocationSection
      location={home.location}
      facts={home.facts}
      propertyName="Sea House"
      propertyAddress="1 Shore Road, Bay, FL 30000"
    />
  )
  expect(words(section)).toContain('1 Shore Road, Bay, FL 30000')
  expect(words(section)).toContain('10 feet')
  expect(markup(section)).not.toMatch(/(src|srcset|xlink:href)="(https?:)?\/\//)
})

test('the map shows the distance from the texts, if they contain one [SITE-01]', () => {
  const sketch = (text: string, title = '') => {
    const facts = { ...home.facts, items: [{ icon: 'beach' as const, text }] }
    const location = { ...home.location, title }
    return words(<LocationSection location={location} facts={facts} propertyName="" propertyAddress="" />)
  }
  const shipped = 'through the dunes, ten feet to the beach, then the ocean'
  expect(sketch('10 feet from the beach', 'Ten feet from the beach')).toContain(shipped)
  expect(sketch('250 yards from the beach')).toMatch(/dunes, 250 yards to the beach,.* 250 yards The condo/)
  expect(sketch('2 beach umbrellas', 'By the sea')).toMatch(/dunes, the beach,.* ocean The condo/)
})

test('privacy and terms have the effective date and the sections from the spec [LEGAL-01, LEGAL-02, LEGAL-03, LEGAL-04]', () => {
  for (const page of ['privacy', 'terms'] as const)
    expect(JSON.stringify(contentOf(page))).toContain('September 2025')
  expect(headingsOf('privacy')).toEqual([
    'Information We Collect',
    'How We Use Information',
    'Sharing',
    'Data Security & Retention',
    'Your Choices',
    'Contact',
  ])
  expect(headingsOf('terms')).toEqual([
    'Use of the Site',
    'Accounts',
    'Payments',
    'Content and Intellectual Property',
    'Disclaimer',
    'Changes',
    'Contact',
  ])
})

const site: SiteFacts = {
  companyName: 'Sea House LLC',
  propertyName: 'Sea House',
  propertyAddress: '1 Shore Road, Bay, FL 30000',
  ownerEmail: 'owner@sea.example',
  ownerPhone: '+1 (555) 010-0199',
  cardFeeBasisPoints: 250,
  today: '2026-11-21',
}

test('fills in placeholders from the settings, with links for email and phone', () => {
  const html = markup(
    <TemplateText site={site} text="{companyName}: {ownerEmail}, {ownerPhone}, {cardFee}" />,
  )
  expect(html).toContain('Sea House LLC: <a href="mailto:owner@sea.example"')
  expect(html).toContain('<a href="tel:+15550100199"')
  expect(html).toMatch(/2\.5%$/)
})

test('the shipped texts have no unknown placeholders', () => {
  expect(JSON.stringify([contentOf('privacy'), contentOf('terms')])).not.toMatch(/\{\w+\}/)
  expect(JSON.stringify(waysToPay(deps))).not.toMatch(/\{\w+\}/)
})
