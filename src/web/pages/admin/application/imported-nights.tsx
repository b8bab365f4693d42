import { plural } from '../../../../domain/plural.ts'
import { formatStay } from '../../../../domain/stay.ts'
import type { Outputs } from '../../../api/api.ts'
import { MomentAge } from '../../../features/stays/moment-age.tsx'

type Imported = NonNullable<Outputs['applications']['adminStatusPreview']['imported']>

/** `These nights are taken on Airbnb and Vrbo`, of many their number; undefined where none are. */
export function importedTitle(imported: Imported): string | undefined {
  if (imported.length === 0) return undefined
  const feeds = [...new Set(imported.map(({ feedName }) => feedName))]
  if (feeds.length > 3) return `These nights are taken on ${plural(feeds.length, 'calendar')}`
  return `These nights are taken on ${new Intl.ListFormat('en-US').format(feeds)}`
}

/** Identifies an imported stay. */
export const nightsOf = ({ endDate, feedId, startDate }: Imported[number]) =>
  `${feedId} ${startDate} ${endDate}`

/** Which nights are taken on other calendars, and how old each calendar is. */
export function ImportedNights({ imported }: { imported: Imported }) {
  // A platform may have two events of the same nights.
  const events = new Map(imported.map(event => [nightsOf(event), event]))
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
      read <MomentAge at={at} />
    </>
  )
}
