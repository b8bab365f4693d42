import { useRef } from 'react'
import { Link } from 'wouter'
import { addDays, type CalendarDate, datesInRange } from '../../../../domain/common/dates.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { refusalOr } from '../../../api/failures.ts'
import { useDay } from '../../../features/stays/today.ts'
import { isSessionExpired } from '../../../session/session.tsx'
import { MonthsCalendar } from '../../../ui/calendar.tsx'
import { CalendarLegend } from '../../../ui/calendar-day.tsx'
import { Card, CardBody } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { toast } from '../../../ui/toast.ts'
import { type BarPart, barParts } from './bars.ts'
import { adminDayState, daysByDate, isAvailable, selectionState } from './day-state.ts'
import { SelectionBar } from './selection-bar.tsx'
import type { useAdminAvailability, useDateSelection } from './use-admin-availability.ts'
import { useHoldAndDrag } from './use-hold-and-drag.ts'

type AvailabilityCalendarProps = Outputs['availability']['adminRange'] & {
  month: string
  onMonthChange: (month: string) => void
  loaded: ReturnType<typeof useAdminAvailability>['loaded']
  selection: ReturnType<typeof useDateSelection>
}

/** Three months with bookings, imported stays and blocked days, and a bar to change the selected dates. */
export function AvailabilityCalendar({
  availability,
  bookings,
  promises,
  month,
  loaded,
  selection,
  onMonthChange,
}: AvailabilityCalendarProps) {
  const { timeZone, today } = useDay()
  const updates = useAvailabilityUpdates()
  const days = daysByDate(availability)
  const bars = barParts({ bookings, entries: availability, promises, timeZone, first: `${month}-01` })
  const stateOf = (date: CalendarDate) =>
    adminDayState(date, { days, bookings, loaded, today, selection: selection.dates })
  const daysFrom = (from: CalendarDate, to: CalendarDate) => {
    const [first, last] = from < to ? [from, to] : [to, from]
    return datesInRange({ start: first, end: addDays(last, 1) }).filter(date => !stateOf(date).disabled)
  }
  const endRangeAt = (date: CalendarDate) => selection.add(daysFrom(selection.start ?? date, date))
  const before = useRef<ReadonlySet<CalendarDate>>(undefined)
  const holding = useHoldAndDrag((from, to, isDone) => {
    before.current ??= selection.dates
    selection.replace([...before.current, ...daysFrom(from, to)])
    if (isDone) before.current = undefined
  })
  const update = async (change: { isAvailable: boolean; reason: string }) => {
    if (selection.dates.size === 0) return !toast.error('Please select dates to update')
    if (!(await updates.setDates([...selection.dates], change.isAvailable, change.reason))) return false
    selection.clear()
    document.getElementById('main')?.focus({ preventScroll: true })
    return true
  }
  return (
    <Card aria-label="Calendar">
      <CardBody>
        <div
          ref={holding}
          onClickCapture={event => {
            const day = event.target instanceof Element && event.target.closest('[data-day]')
            if (!event.shiftKey || !day || selection.start === undefined) return
            event.stopPropagation()
            endRangeAt(day.getAttribute('data-day') ?? selection.start)
          }}
        >
          <MonthsCalendar
            label="Availability calendar"
            hint={<CalendarHelp />}
            className={classNames(
              calendarClass,
              // The bar says what matters then.
              selection.dates.size > 0 && 'max-lg:[&_[data-calendar-detail]]:invisible',
            )}
            month={month}
            onMonthChange={onMonthChange}
            today={today}
            dayState={stateOf}
            onDayClick={selection.awaitsEnd ? endRangeAt : selection.toggle}
            onDayDoubleClick={date => void updates.setDate(date, !isAvailable(days, date))}
            onDayRange={(first, last) => selection.add(daysFrom(first, last))}
            dayExtra={date =>
              bars.get(date)?.map(part => <NightBar key={part.title + part.nights} {...part} />)
            }
          />
        </div>
        <Legend
          kinds={[
            ...(availability.some(({ feedId }) => feedId) ? (['imported'] as const) : []),
            ...(availability.some(({ claimId }) => claimId) ? (['held'] as const) : []),
            ...(promises.length > 0 ? (['promised'] as const) : []),
          ]}
        />
      </CardBody>
      <SelectionBar
        selection={selection}
        first={today}
        last={loaded.endDate}
        onRange={(from, to) => selection.replace(daysFrom(from, to))}
        state={selectionState(selection.dates, { days, loaded })}
        busy={updates.isUpdating}
        onUpdate={update}
      />
    </Card>
  )
}

/**
 * Each day has two lines: the number, and below it a bar with its name. The scroll margin keeps a focused day above the
 * selection bar.
 */
const calendarClass =
  'isolate touch-manipulation [&_th]:px-1 [&_th]:text-left sm:[&_th]:px-1.5 [&_td]:h-14 [&_td>button]:scroll-mb-36 [&_td>button]:items-start [&_td>button]:justify-start [&_td>button]:px-1 sm:[&_td>button]:px-1.5 [&_td>button]:pt-0.5 ' +
  // Narrow days have no room for the check mark.
  'sm:max-lg:[&_td_svg]:hidden ' +
  // Today's marker is below the number.
  '[&_td>button>span]:inset-x-1 sm:[&_td>button>span]:inset-x-1.5 [&_td>button>span]:top-6 [&_td>button>span]:mx-0'

function CalendarHelp() {
  return (
    <>
      <p className="max-sm:hidden pointer-coarse:hidden">
        Click or drag to select days. Double-click a day to open or block it.
        <span className="sr-only">
          {' '}
          With Shift, a click selects up to that date. With the keyboard, arrows move, Space selects and Enter
          switches.
        </span>
      </p>
      <p className="sm:not-pointer-coarse:hidden">
        Tap or hold to select days. Double-tap a day to open or block it.
      </p>
    </>
  )
}

const legend = {
  imported: 'Booked on another platform',
  held: 'Held for a guest',
  promised: 'Promised to a guest',
}

/** `kinds`: the bars that not every calendar has. */
function Legend({ kinds }: { kinds: readonly (keyof typeof legend)[] }) {
  return (
    <CalendarLegend
      className="mt-5"
      items={[
        { tone: 'available', label: 'Available' },
        { tone: 'booked', label: 'Booked', look: barClasses.booking },
        ...kinds.map(kind => ({ tone: 'booked', label: legend[kind], look: barClasses[kind] }) as const),
        { tone: 'unavailable', label: 'Unavailable' },
        { tone: 'past', label: 'Past' },
        { tone: 'selected', label: 'Selected' },
      ]}
    />
  )
}

/** Opens or blocks days. After showing a toast, each update resolves to whether it succeeded. */
function useAvailabilityUpdates() {
  const utils = api.useUtils()
  const setDate = api.availability.setDate.useMutation()
  const setDates = api.availability.setDates.useMutation()

  const withToast = async (update: Promise<unknown>, successText: string) => {
    try {
      await update
    } catch (error) {
      if (!isSessionExpired(error)) toast.error(refusalOr(error, 'Failed to update availability'))
      return false
    }
    toast.success(successText)
    void utils.availability.invalidate()
    return true
  }

  return {
    setDate: (date: CalendarDate, isAvailable: boolean) =>
      withToast(
        setDate.mutateAsync({ date, isAvailable, reason: labelOf(isAvailable) }),
        `Date ${date} updated to ${labelOf(isAvailable).toLowerCase()}`,
      ),
    setDates: (dates: readonly CalendarDate[], isAvailable: boolean, reason: string) =>
      withToast(
        setDates.mutateAsync({
          dates: dates.toSorted(),
          isAvailable,
          reason: reason.trim() || labelOf(isAvailable),
        }),
        `Updated ${plural(dates.length, 'date')} to ${labelOf(isAvailable).toLowerCase()}`,
      ),
    isUpdating: setDates.isPending,
  }
}

const labelOf = (isAvailable: boolean) => (isAvailable ? 'Available' : 'Unavailable')

/** The styles of bars, in the calendar and in its legend. */
const barClasses = {
  booking: 'bg-[color-mix(in_srgb,var(--color-blue)_28%,white)] text-navy',
  imported: 'border-y border-brass bg-[color-mix(in_srgb,var(--color-brass)_20%,white)] text-brass-dark',
  held: 'border-y border-blue bg-[repeating-linear-gradient(135deg,white_0_5px,color-mix(in_srgb,var(--color-blue)_20%,white)_5px_10px)] text-navy',
  promised: 'border-y border-navy bg-white text-navy',
  blocked: 'bg-[color-mix(in_srgb,var(--color-red)_18%,white)] text-red',
} as const

const textClasses = {
  booking: 'text-navy',
  imported: 'text-brass-dark',
  held: 'text-navy',
  promised: 'text-navy',
  blocked: 'text-red',
}
/** These have an outline all around. */
const isOutlined = (kind: BarPart['kind']) => kind !== 'booking' && kind !== 'blocked'

/** A part of a bar, rendered in the cell of its first day, over the days. */
function NightBar(part: BarPart) {
  const { href, isFirst, isJoined, isLast, isNamed, isReachable, kind, name, nights, title } = part
  const isStay = kind !== 'blocked'
  const indent = isStay && isFirst ? 50 : 0
  // There is a 2 px gap between the days of a row.
  const gaps = Math.max(0, isJoined ? nights : nights - 1)
  const width = `calc(${nights * 100 - indent + (isJoined ? 50 : 0)}% + ${gaps * 2}px)`
  const left = `${indent}%`
  // A name does not fit in half a day, so it may use the whole day.
  const namePlace =
    indent > 0 && nights === 1 && !isJoined ? { left: 0, maxWidth: '100%' } : { left, maxWidth: width }
  const reach = isReachable ? {} : { tabIndex: -1, 'aria-hidden': true }
  const nameClass = classNames(
    'absolute bottom-0 z-1 h-6 px-1 text-left sm:px-1.5 text-[0.8125rem] leading-6 font-semibold whitespace-nowrap',
    // In a few days a name that does not fit moves to a hidden second line.
    nights < 3 ? 'flex flex-wrap overflow-hidden before:h-6' : 'block truncate',
    textClasses[kind],
  )
  return (
    <>
      <span
        aria-hidden
        data-bar={kind}
        className={classNames(
          'pointer-events-none absolute bottom-0 z-1 h-6',
          barClasses[kind],
          // Where a stay goes on in another row, the corner is that of the day.
          isFirst ? 'rounded-l-control' : 'rounded-bl-control',
          isLast ? 'rounded-r-control' : 'rounded-br-control',
          isOutlined(kind) && isFirst && 'border-l',
          isOutlined(kind) && isLast && 'border-r',
        )}
        style={{ left, width }}
      />
      {isNamed && href && (
        <Link
          href={href}
          title={title}
          draggable={false}
          className={classNames(nameClass, 'hover:underline')}
          style={namePlace}
          {...reach}
        >
          {name}
        </Link>
      )}
      {isNamed && !href && (
        <span
          aria-hidden
          className={classNames(nameClass, 'pointer-events-none')}
          style={{ left, maxWidth: width }}
        >
          {name}
        </span>
      )}
    </>
  )
}
