import type { SectionName } from '../../../../../domain/content/content.ts'

/** The titles of the sections' cards. */
export const sectionLabels: Record<SectionName, string> = {
  identity: 'Name and contact',
  search: 'Search engines',
  hero: 'Hero',
  overview: 'Overview',
  facts: 'Facts',
  gallery: 'Gallery',
  rates: 'Rates',
  availability: 'Availability',
  amenities: 'Amenities',
  houseRules: 'House rules',
  reviews: 'Reviews',
  location: 'Location',
  contact: 'Contact page',
  waysToPay: 'Ways to pay',
  privacy: 'Privacy policy',
  terms: 'Terms of service',
}

/** In the order in which they appear on the page. */
export const sectionNames = Object.keys(sectionLabels) as SectionName[]
export const isSectionName = (name: string): name is SectionName => Object.hasOwn(sectionLabels, name)
