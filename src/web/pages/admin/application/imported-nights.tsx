import { plural } from '../../../../domain/common/plural.ts'
import { formatStay } from '../../../../domain/common/stay.ts'
import type { Outputs } from '../../../api/api.ts'
import { RelativeTime } from '../../../features/stays/relative-time.tsx'

type Imported = NonNullable<Outputs['applications']['adminStatusPreview']['imported']>

/**
 * `These nights are taken on Airbnb and Vrbo`, with the number of calendars if there are many; undefined if there are
 * none.
 */
export function importedTitle(imported: Imported): string | undefined {
  if (imported.length === 0) return undefined
  const feeds = [...new Set(imported.map(({ feedName }) => feedName))]
  if (feeds.length > 3) return `These nights are taken on ${plural(feeds.length, 'calendar')}`
  return `These nights are taken on ${new Intl.ListFormat('en-US').format(feeds)}`
}

/** Identifies an imported stay. */
export const importedStayKey = ({ endDate, feedId, startDate }: Imported[number]) =>
  `${feedId} ${startDate} ${endDate}`

/** Shows which nights are taken on other calendars, and when each calendar was last read. */
export function ImportedNights({ imported }: { imported: Imported }) {
  // A platform may have two events for the same nights.
  const events = new Map(imported.map(event => [importedStayKey(event), event]))
  return (
    <ul>
      {[...events].map(([key, event]) => (
        <li key={key} className="wrap-anywhere">
          {event.feedName}: {formatStay({ start: event.startDate, end: event.endDate })}
          <span className="text-muted">
            , <ReadingAge at={event.lastSuccessAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function ReadingAge({ at }: { at: string | null }) {
  if (at === null) return 'never read'
  return (
    <>
      read <RelativeTime at={at} />
    </>
  )
}
