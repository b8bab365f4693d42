import { QueryView } from '../../../ui/query-view.tsx'
import { AreaPage } from '../area.tsx'
import { TurnoverCard } from '../settings/turnover-card.tsx'
import { useCalendars } from './calendar-data.ts'
import { CalendarNotices } from './calendar-notices.tsx'
import { ConflictsCard } from './conflicts-card.tsx'
import { EventsCard } from './events-card.tsx'
import { ExportsCard } from './exports-card.tsx'
import { FeedsCard } from './feeds-card.tsx'

/** The calendars of other platforms that this site imports, and the calendars that it exports. */
export function CalendarsPage() {
  const query = useCalendars()
  return (
    <AreaPage
      area="availability"
      subtitle="Bookings on other platforms keep their nights off this site, and the other way around"
    >
      <QueryView query={query} loading="Loading calendars..." error="Failed to load calendars">
        {calendars => (
          <div className="grid grid-cols-1 gap-6">
            <CalendarNotices calendars={calendars} />
            {calendars.conflicts.length > 0 && <ConflictsCard calendars={calendars} />}
            <FeedsCard calendars={calendars} />
            {calendars.feeds.length > 0 && <EventsCard calendars={calendars} />}
            <ExportsCard calendars={calendars} />
            <TurnoverCard />
            {calendars.conflicts.length === 0 && calendars.feeds.length > 0 && (
              <ConflictsCard calendars={calendars} />
            )}
          </div>
        )}
      </QueryView>
    </AreaPage>
  )
}
