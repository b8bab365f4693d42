import { type CalendarDate, dateIn } from '../../../domain/dates.ts'
import { api } from '../../api/api.ts'
import { AmenitiesSection } from './amenities-section.tsx'
import { GallerySection } from './gallery-section.tsx'
import { LiveAvailability } from './live-availability.tsx'
import { LocationSection } from './location-section.tsx'
import { RatesSection } from './rates-section.tsx'
import { ReviewsSection } from './reviews-section.tsx'

/** The home page from the gallery on. */
export function BelowTheFold() {
  const site = api.site.get.useQuery()
  const rates = api.rates.list.useQuery()
  const { propertyName = '', propertyAddress = '' } = site.data?.site ?? {}
  const today = site.data?.site.today ?? (site.isError ? todayHere() : undefined)
  return (
    <>
      <GallerySection />
      <RatesSection rates={rates.data?.rates ?? (rates.isError ? 'failed' : undefined)} />
      <LiveAvailability today={today} rates={rates.data?.rates ?? []} />
      <AmenitiesSection />
      <ReviewsSection />
      <LocationSection propertyName={propertyName} propertyAddress={propertyAddress} />
    </>
  )
}

/** For a page that could not load the date at the property. */
function todayHere(): CalendarDate {
  return dateIn(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone)
}
