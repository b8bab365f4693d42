import { type CalendarDate, dateIn } from '../../../domain/dates.ts'
import { api } from '../../api/api.ts'
import { AmenitiesSection } from './amenities-section.tsx'
import { GallerySection } from './gallery-section.tsx'
import { LiveAvailability } from './live-availability.tsx'
import { LocationSection } from './location-section.tsx'
import { RatesSection } from './rates-section.tsx'
import { ReviewsSection } from './reviews-section.tsx'

/** The home page from the gallery on. */
export function HomeRest() {
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

/** Only when the server did not say what day it is at the property, which is never so on a page it rendered. */
function todayHere(): CalendarDate {
  return dateIn(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone)
}
