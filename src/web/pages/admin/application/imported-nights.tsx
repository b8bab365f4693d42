import { formatStay } from '../../../../domain/stay.ts'
import type { Outputs } from '../../../api/api.ts'
import { useTimeZone } from '../../../features/stays/today.ts'
import { formatAge } from '../age.ts'

type Imported = NonNullable<Outputs['applications']['adminStatusPreview']['imported']>

/** `These nights are taken on Airbnb and Vrbo`; undefined where none are. */
export function importedTitle(imported: Imported): string | undefined {
  if (imported.length === 0) return undefined
  const feeds = [...new Set(imported.map(({ feedName }) => feedName))]
  return `These nights are taken on ${new Intl.ListFormat('en-US').format(feeds)}`
}

/** Tells one imported stay from others. */
export const nightsOf = ({ endDate, feedId, startDate }: Imported[number]) =>
  `${feedId} ${startDate} ${endDate}`

/** Which nights are taken on other calendars, and how old each calendar is. */
export function ImportedNights({ imported }: { imported: Imported }) {
  const timeZone = useTimeZone()
  const age = (readAt: string | null) =>
    readAt === null ? 'never read' : `read ${formatAge(readAt, new Date(), timeZone)}`
  return (
    <>
      <ul>
        {imported.map(event => (
          <li key={nightsOf(event)} className="wrap-anywhere">
            {event.feedName}: {formatStay({ start: event.startDate, end: event.endDate })}
            <span className="text-muted">, {age(event.lastSuccessAt)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-1.5">Book them all the same only if you have cleared them there.</p>
    </>
  )
}
