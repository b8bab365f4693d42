import type { SectionName } from '../../../../../domain/content/content.ts'
import { paths } from '../../../../routing/paths.ts'

/** The titles of the sections' cards. */
export const sectionLabels: Record<SectionName, string> = {
  identity: 'Name and contact',
  hero: 'Welcome',
  overview: 'Overview',
  facts: 'Facts',
  gallery: 'Gallery',
  amenities: 'Amenities',
  reviews: 'Reviews',
  location: 'Location',
  rates: 'Rates',
  availability: 'Availability',
  houseRules: 'House rules',
  contact: 'Contact page',
  waysToPay: 'Other ways to pay',
  privacy: 'Privacy policy',
  terms: 'Terms of service',
  search: 'Search engines',
}

export type SectionGroup = { title: string; names: readonly SectionName[] }

/** The sections of the public pages; the others are on the screens where their effect is seen. */
export const pageGroups: readonly SectionGroup[] = [
  { title: 'Top of the page', names: ['hero', 'overview', 'facts', 'gallery'] },
  { title: 'The condo', names: ['amenities', 'reviews', 'location'] },
  { title: 'Practical', names: ['rates', 'availability', 'houseRules', 'contact'] },
  { title: 'Legal and search', names: ['privacy', 'terms', 'search'] },
]

const otherScreens: { [Name in SectionName]?: string } = {
  identity: paths.adminNameAndContact,
  waysToPay: paths.adminHowGuestsPay,
}

/** The screen on which a section is edited. */
export const screenOfSection = (name: SectionName): string => otherScreens[name] ?? paths.adminSite

export const sectionNames = Object.keys(sectionLabels) as SectionName[]
export const isSectionName = (name: string): name is SectionName => Object.hasOwn(sectionLabels, name)
export const labelsOf = (names: readonly SectionName[]) => names.map(name => sectionLabels[name]).join(', ')
