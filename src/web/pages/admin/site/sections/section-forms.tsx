import type { SectionName } from '../../../../../domain/content/content.ts'
import type { SectionForm } from './field-binding.ts'
import { GalleryForm, ReviewsForm } from './lazy-forms.tsx'
import { IdentityForm, WaysToPayForm } from './owner-forms.tsx'
import { ContactForm, HeroForm, IntroForm, LegalForm, OverviewForm, SearchForm } from './page-forms.tsx'
import { AmenitiesForm, FactsForm, HouseRulesForm, LocationForm } from './property-forms.tsx'

/** The form of each section of the site's content. */
export const sectionForms: { [Name in SectionName]: SectionForm<Name> } = {
  identity: IdentityForm,
  search: SearchForm,
  hero: HeroForm,
  overview: OverviewForm,
  facts: FactsForm,
  gallery: GalleryForm,
  rates: IntroForm,
  availability: IntroForm,
  amenities: AmenitiesForm,
  houseRules: HouseRulesForm,
  reviews: ReviewsForm,
  location: LocationForm,
  contact: ContactForm,
  waysToPay: WaysToPayForm,
  privacy: LegalForm,
  terms: LegalForm,
}
