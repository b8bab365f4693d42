import { Copy, Plus, TriangleAlert } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { z } from 'zod'
import type { CalendarProvider } from '../../../../domain/calendars/calendar-event.ts'
import type { ExportScope } from '../../../../domain/calendars/calendar-feed.ts'
import { formatMoment } from '../../../../domain/common/dates.ts'
import { api } from '../../../api/api.ts'
import { RelativeTime } from '../../../features/stays/relative-time.tsx'
import { useTimeZone } from '../../../features/stays/today.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { RemoveDialog } from '../../../forms/confirm-action.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { RadioGroupField } from '../../../ui/choice-fields.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { EditAndRemove } from '../../../ui/edit-and-remove.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { inputClass } from '../../../ui/field.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { toast } from '../../../ui/toast.ts'
import {
  actionsClass,
  type CalendarExport,
  type CalendarFeed,
  type Calendars,
  namesWarning,
  platformInstructions,
  providerNames,
  scopeNames,
} from './calendar-data.ts'
import { ExportDialog } from './export-dialog.tsx'

type Opened = { as: 'edit' | 'rotate' | 'remove'; export: CalendarExport } | { as: 'new' }

/** The URLs at which others can read this site's calendar. */
export function ExportsCard({ calendars: { exports, feeds } }: { calendars: Calendars }) {
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const addButton = (
    <Button variant="secondary" size="sm" onClick={() => setOpened({ as: 'new' })}>
      <Plus aria-hidden />
      Give out a calendar
    </Button>
  )
  return (
    <SetupCard
      title="For Airbnb and others"
      subtitle="Secret addresses where others can read what is booked here. Platforms look every few hours."
      action={exports.length > 0 && addButton}
    >
      {exports.length === 0 ? (
        <EmptyState
          compact
          title="No calendar is given out yet."
          hint="One for each platform keeps your bookings off it. Your cleaner can have one without names, and you one with them."
          action={addButton}
        />
      ) : (
        <ul className="divide-y divide-line">
          {exports.map(given => (
            <ExportItem
              key={given.id}
              given={given}
              feed={feeds.find(({ id }) => id === given.feedId)}
              onOpen={as => setOpened({ as, export: given })}
            />
          ))}
        </ul>
      )}
      {opened?.as === 'new' && <ExportDialog feeds={feeds} onClose={close} />}
      {opened?.as === 'edit' && <ExportDialog given={opened.export} feeds={feeds} onClose={close} />}
      {opened?.as === 'rotate' && <RotateDialog given={opened.export} onClose={close} />}
      {opened?.as === 'remove' && <RemoveExport given={opened.export} onClose={close} />}
    </SetupCard>
  )
}

function RemoveExport({ given, onClose }: { given: CalendarExport; onClose: () => void }) {
  const remove = api.calendars.removeExport.useMutation()
  return (
    <RemoveDialog
      name={given.name}
      noun="Calendar"
      body={
        given.scope === 'platform'
          ? 'Its address stops working at once. The platform no longer learns which nights are booked here.'
          : 'Its address stops working at once. Whoever reads it no longer sees changes.'
      }
      remove={() => remove.mutateAsync({ id: given.id })}
      onClose={onClose}
    />
  )
}

const typedRotation = z
  .object({ old: z.enum(['keep', 'end'], 'Please choose whether to keep the old address') })
  .transform(({ old }) => ({ keepOld: old === 'keep' }))

const choices = [
  {
    value: 'keep',
    label: 'Keep it for 7 more days',
    hint: 'This gives you time to pass on the new one. Until then, both work.',
  },
  { value: 'end', label: 'End it at once', hint: 'If the wrong person has it.' },
]

/** Creates a new secret URL for an exported calendar. The old URL ends immediately or in 7 days. */
function RotateDialog({ given, onClose }: { given: CalendarExport; onClose: () => void }) {
  const rotate = api.calendars.rotateExport.useMutation()
  const form = useZodForm(typedRotation, { old: 'keep' })
  const field = fieldPropsOf(form)
  const submission = useDialogSubmit(form, 'Failed to replace the link', onClose, async ({ keepOld }) => {
    await rotate.mutateAsync({ id: given.id, keepOld })
    const detail = keepOld ? 'The old one works for 7 more days.' : 'The old one has ended.'
    return { title: 'Link replaced', detail }
  })
  return (
    <FormDialog
      {...submission}
      title={`Replace the link of ${given.name}`}
      description={
        given.oldUrlUntil
          ? 'The address before this one, which still works, ends now.'
          : 'Afterwards, copy the new address to wherever the old one is used.'
      }
      submitLabel="Replace link"
    >
      <RadioGroupField label="The old address" cards options={choices} {...field('old')} />
    </FormDialog>
  )
}

type ExportItemProps = {
  given: CalendarExport
  /** The imported calendar of the same platform. */
  feed: CalendarFeed | undefined
  onOpen: (as: 'edit' | 'rotate' | 'remove') => void
}

/** An exported calendar: its URL, its purpose, and who fetched it last. */
function ExportItem({ given, feed, onOpen }: ExportItemProps) {
  const { name, oldUrlUntil, scope } = given
  const [addresses, setAddresses] = useState(0)
  const timeZone = useTimeZone()
  return (
    <li className="grid gap-2.5 py-4 first:pt-0 last:pb-0">
      <div className="grid gap-0.5">
        <div className="-mt-1.5 flex items-center justify-between gap-4">
          <h3 className="min-w-0 font-semibold wrap-anywhere text-navy">{name}</h3>
          <EditAndRemove name={name} onEdit={() => onOpen('edit')} onRemove={() => onOpen('remove')} />
        </div>
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
      <Address key={addresses} given={given}>
        <Button
          size="sm"
          variant="ghost"
          className="max-sm:px-2"
          onClick={() => {
            // The shown address may be replaced.
            setAddresses(addresses + 1)
            onOpen('rotate')
          }}
        >
          Replace link<span className="sr-only"> {name}</span>
        </Button>
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

type AddressProps = { given: CalendarExport; children: ReactNode }

/**
 * The buttons that show and copy the URL, which the server gives after a step-up, and other actions. If the browser does
 * not allow copying, selects the URL.
 */
function Address({ given: { id, name }, children }: AddressProps) {
  const field = useRef<HTMLInputElement>(null)
  const [url, setUrl] = useState<string>()
  const ask = api.calendars.showExport.useMutation()
  const show = async (): Promise<string> => {
    if (url !== undefined) return url
    const asked = await ask.mutateAsync({ id })
    flushSync(() => setUrl(asked.url))
    return asked.url
  }
  const copy = async () => {
    const shown = await show()
    if (shown === '') return
    try {
      await navigator.clipboard.writeText(shown)
      toast.success('Link copied')
    } catch {
      field.current?.select()
      toast.info('The link is selected', 'Your browser does not let this site copy it.')
    }
  }
  const orTell = (work: Promise<unknown>) =>
    void work.catch(error => toastFailure(error, 'Failed to show the link'))
  return (
    <div className="flex flex-wrap items-center gap-2">
      {url === '' && (
        <p className="basis-full text-[0.9375rem] text-muted">
          The address still works, but can no longer be shown.
        </p>
      )}
      {url && (
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
      )}
      <div className={actionsClass}>
        {url === undefined && (
          <BusyButton
            size="sm"
            variant="secondary"
            className="max-sm:px-2"
            busy={ask.isPending}
            onClick={() => orTell(show())}
          >
            Show link<span className="sr-only"> {name}</span>
          </BusyButton>
        )}
        {url !== '' && (
          <Button
            size="sm"
            variant="secondary"
            className="max-sm:px-2 max-sm:[&_svg]:hidden"
            onClick={() => orTell(copy())}
          >
            <Copy aria-hidden />
            Copy link<span className="sr-only"> {name}</span>
          </Button>
        )}
        {children}
      </div>
    </div>
  )
}
