import { Copy, TriangleAlert } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { CalendarProvider } from '../../../../domain/calendars/calendar-event.ts'
import type { ExportScope } from '../../../../domain/calendars/calendar-feed.ts'
import { formatMoment } from '../../../../domain/common/dates.ts'
import { RelativeTime } from '../../../features/stays/relative-time.tsx'
import { useTimeZone } from '../../../features/stays/today.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { inputClass } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import {
  actionsClass,
  type CalendarExport,
  type CalendarFeed,
  namesWarning,
  providerNames,
  scopeNames,
} from './calendar-data.ts'
import { EditAndRemove } from './edit-and-remove.tsx'
import { platformInstructions } from './platform-instructions.ts'

type ExportItemProps = {
  given: CalendarExport
  /** The imported calendar of the same platform. */
  feed: CalendarFeed | undefined
  /** Preloads the code of the edit dialog. */
  onOpen: (as: 'edit' | 'rotate' | 'remove') => void
}

/** An exported calendar: its URL, its purpose, and who fetched it last. */
export function ExportItem({ given, feed, onOpen }: ExportItemProps) {
  const { name, oldUrlUntil, scope } = given
  const timeZone = useTimeZone()
  return (
    <li className="grid gap-2.5 py-4 first:pt-0 last:pb-0">
      <div className="grid gap-0.5">
        <h3 className="font-semibold wrap-anywhere text-navy">{name}</h3>
        <p className="text-[0.9375rem] wrap-anywhere text-muted">
          {scopeNames[scope]}
          {feed && ` · Belongs to ${feed.name}`} · <LastFetched given={given} />
        </p>
        <p className="text-[0.9375rem] text-muted">{pasteHint(scope, feed?.provider)}</p>
        {scope === 'owner' && (
          <p className="flex gap-1.5 text-[0.9375rem] font-semibold text-yellow">
            <TriangleAlert aria-hidden className="mt-1 size-4 shrink-0" />
            {namesWarning}
          </p>
        )}
        {oldUrlUntil && (
          <p className="text-[0.9375rem] text-muted">
            The old address works until {formatMoment(oldUrlUntil, timeZone)}.
          </p>
        )}
      </div>
      <Address given={given}>
        <Button size="sm" variant="ghost" className="max-sm:px-2" onClick={() => onOpen('rotate')}>
          New address<span className="sr-only"> {name}</span>
        </Button>
        <EditAndRemove name={name} onEdit={() => onOpen('edit')} onRemove={() => onOpen('remove')} />
      </Address>
    </li>
  )
}

function LastFetched({ given: { lastAgent, lastFetchedAt } }: { given: CalendarExport }) {
  if (!lastFetchedAt) return 'Never fetched'
  return (
    <>
      Last fetched <RelativeTime at={lastFetchedAt} />
      {lastAgent && ` by ${lastAgent}`}
    </>
  )
}

function pasteHint(scope: ExportScope, provider: CalendarProvider | undefined): string {
  if (scope === 'cleaning')
    return 'Send it to your cleaner, who can subscribe to it in a calendar app. It has departures and no names.'
  if (scope === 'owner')
    return `Subscribe to it in your own calendar. In Google Calendar: ${platformInstructions.google.paste}.`
  if (!provider || provider === 'other')
    return `Paste it on the platform ${platformInstructions.other.paste}.`
  return `Paste it on ${providerNames[provider]}: ${platformInstructions[provider].paste}.`
}

/** The URL with a copy button. If the browser does not allow copying, selects the URL. */
function Address({ given: { name, url }, children }: { given: CalendarExport; children: ReactNode }) {
  const field = useRef<HTMLInputElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      toast.success('Address copied')
    } catch {
      field.current?.select()
      toast.info('The address is selected', 'Your browser does not let this site copy it.')
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="basis-full lg:grow lg:basis-0">
        <input
          ref={field}
          readOnly
          aria-label={`Address of ${name}`}
          value={url}
          className={classNames(inputClass, 'text-[0.9375rem] text-ellipsis')}
          onFocus={event => event.currentTarget.select()}
        />
      </div>
      <div className={actionsClass}>
        <Button
          size="sm"
          variant="secondary"
          className="max-sm:px-2 max-sm:[&_svg]:hidden"
          onClick={() => void copy()}
        >
          <Copy aria-hidden />
          Copy address<span className="sr-only"> {name}</span>
        </Button>
        {children}
      </div>
    </div>
  )
}
