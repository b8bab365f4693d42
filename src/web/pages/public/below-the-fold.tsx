import { type CalendarDate, dateIn } from '../../../domain/common/dates.ts'
import type { HomeView, PictureView } from '../../../domain/content/content-views.ts'
import { api } from '../../api/api.ts'
import { availabilityWindow } from '../../features/stays/availability-window.ts'
import { firstMonth } from '../../features/stays/first-month.ts'
import { useAvailability } from '../../features/stays/use-availability.ts'
import { applyPath } from '../../session/apply-path.ts'
import { useSession } from '../../session/session.tsx'
import { withUniqueKeys } from '../../ui/unique-keys.ts'
import { AmenitiesSection } from './amenities-section.tsx'
import { AvailabilitySection } from './availability-section.tsx'
import { GallerySection } from './gallery-section.tsx'
import { LocationSection } from './location-section.tsx'
import { OverviewSection } from './overview-section.tsx'
import { RatesSection } from './rates-section.tsx'
import { RendersNote } from './renders-note.tsx'
import { ReviewsSection } from './reviews-section.tsx'
import { Section } from './section.tsx'
import type { StayPlannerProps } from './stay-planner.tsx'

/** The house rules of the lease, if the owner shows them on the page (SITE-15). */
export function HouseRulesSection({ rules }: { rules: readonly string[] }) {
  if (rules.length === 0) return null
  return (
    <Section id="house-rules" title="House rules" className="bg-white">
      <ul className="max-w-3xl list-disc space-y-2 pl-5 leading-relaxed wrap-anywhere marker:text-brass">
        {withUniqueKeys(rules, rule => rule).map(({ key, item }) => (
          <li key={key}>{item}</li>
        ))}
      </ul>
    </Section>
  )
}

/** The home page below the fold. */
export function BelowTheFold({ home }: { home: HomeView }) {
  const site = api.site.get.useQuery()
  const rates = api.rates.list.useQuery()
  const { propertyName = '', propertyAddress = '' } = site.data?.site ?? {}
  const today = site.data?.site.today ?? (site.isError ? todayHere() : undefined)
  return (
    <>
      <OverviewSection overview={home.overview} facts={home.facts} />
      <GallerySection gallery={home.gallery} note={<RendersNote pictures={picturesOf(home)} />} />
      <RatesSection
        content={home.rates}
        hasStayLength={site.data?.site.hasStayLength}
        rates={rates.data?.rates ?? (rates.isError ? 'failed' : undefined)}
      />
      <LiveAvailability content={home.availability} today={today} rates={rates.data?.rates} />
      <AmenitiesSection amenities={home.amenities} />
      {home.houseRules && <HouseRulesSection rules={home.houseRules.rules} />}
      <ReviewsSection reviews={home.reviews} />
      <LocationSection
        location={home.location}
        facts={home.facts}
        propertyName={propertyName}
        propertyAddress={propertyAddress}
      />
    </>
  )
}

/** All pictures on the page. */
function picturesOf({ gallery, hero, location, overview }: HomeView): PictureView[] {
  const map = location.map === 'picture' && location.picture ? [location.picture] : []
  return [hero.picture, overview.picture, ...gallery.pictures.map(({ picture }) => picture), ...map]
}

/** Used if the date at the property could not be loaded. */
function todayHere(): CalendarDate {
  return dateIn(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone)
}

type LiveAvailabilityProps = {
  today: CalendarDate | undefined
  rates: StayPlannerProps['rates']
  content: HomeView['availability']
}

/** The calendar with live availability from the server. */
function LiveAvailability({ today, rates, content }: LiveAvailabilityProps) {
  const session = useSession()
  const { availability } = api.useUtils()
  const thisMonth = today?.slice(0, 7)
  // The calendar opens where a stay fits.
  const opening = () => {
    if (!today || !thisMonth) return undefined
    const window = availabilityWindow(thisMonth)
    const known = availability.range.getData(window)?.availability
    return known && firstMonth(today, window.endDate, known, rates)
  }
  const { month, showMonth, entries, hasMoved, knownUntil, hasFailed, retry } = useAvailability(
    thisMonth,
    opening,
  )
  const loaded = hasMoved ? undefined : opening()
  if (loaded) showMonth(loaded)
  return (
    <AvailabilitySection
      content={content}
      today={today}
      month={month}
      onMonthChange={showMonth}
      availability={hasFailed ? 'failed' : knownUntil ? { entries, knownUntil } : undefined}
      onRetry={retry}
      rates={rates}
      applyPath={applyPath(session)}
    />
  )
}
