import { ChevronLeft, ChevronRight } from 'lucide-react'
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Button } from './button.tsx'
import { clampDay, dayAfterKey, monthName, shiftMonth, weeksOf } from './calendar-dates.ts'
import { DayButton, type DayHandlers, type DayState, describeDay } from './calendar-day.tsx'
import { classNames } from './class-names.ts'

type MonthsCalendarProps = {
  /** Names the calendar for screen readers. */
  label: string
  /** The first month shown, YYYY-MM. */
  month: string
  onMonthChange: (month: string) => void
  /** The number of months shown, side by side if there is room. */
  months?: number
  /** The first and last months that can be shown, YYYY-MM. */
  minMonth?: string
  maxMonth?: string
  /** YYYY-MM-DD; the calendar never reads the clock. */
  today: string
  dayState: (date: string) => DayState
  onDayClick?: (date: string) => void
  onDayDoubleClick?: (date: string) => void
  /** Called on Space; by default like a click. */
  onDaySelect?: (date: string) => void
  /** Called on Enter; by default like a double click, else like a click. */
  onDayToggle?: (date: string) => void
  /** Called when the pointer or the focus enters a day. */
  onDayEnter?: (date: string) => void
  /** Called after a drag with mouse or pen; the earlier date comes first. */
  onDayRange?: (from: string, to: string) => void
  /** Rendered in a day's cell next to its button. */
  dayExtra?: (date: string) => ReactNode
  /** Rendered between the buttons, or above them where there is no room. */
  hint?: ReactNode
  /** Rendered between the months and the line about the day. */
  legend?: ReactNode
  className?: string
}

/**
 * A calendar of one or more months whose days have states. The state of the hovered or focused day is also shown as
 * text below the months. Arrow keys, Home, End, Page Up and Page Down move between days and months.
 */
export function MonthsCalendar({ label, hint, legend, className, ...props }: MonthsCalendarProps) {
  const [activeDay, setActiveDay] = useState<string>()
  const { month, onMonthChange, months = 3, minMonth, maxMonth, today, dayState } = props
  const state = activeDay && dayState(activeDay)
  // The form itself shows the selected days.
  const detail = state && state.tone !== 'selected' && describeDay(activeDay, state, activeDay === today)
  return (
    <section aria-label={label} className={classNames('@container select-none', className)}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3 noscript:hidden">
        <Button
          variant="secondary"
          size="sm"
          aria-label="Previous month"
          disabled={minMonth !== undefined && month <= minMonth}
          onClick={() => onMonthChange(shiftMonth(month, -1))}
        >
          <ChevronLeft aria-hidden />
          Previous
        </Button>
        {hint && (
          <div className="text-[0.9375rem] text-muted @max-[40rem]:order-first @max-[40rem]:basis-full @min-[40rem]:text-center">
            {hint}
          </div>
        )}
        <Button
          variant="secondary"
          size="sm"
          aria-label="Next month"
          disabled={maxMonth !== undefined && shiftMonth(month, months - 1) >= maxMonth}
          onClick={() => onMonthChange(shiftMonth(month, 1))}
        >
          Next
          <ChevronRight aria-hidden />
        </Button>
      </div>
      <Months {...props} months={months} onActivate={setActiveDay} />
      {legend}
      <p
        data-calendar-detail
        className={classNames(
          'pointer-events-none -mb-5 min-h-6 text-center text-[0.9375rem] text-muted',
          // Stacked months are tall: the description stays in view, and lets clicks through to the days below it.
          detail &&
            '@max-[40rem]:sticky @max-[40rem]:bottom-3 @max-[40rem]:z-2 @max-[40rem]:mx-auto @max-[40rem]:w-fit @max-[40rem]:rounded-control @max-[40rem]:bg-navy-dark @max-[40rem]:px-3 @max-[40rem]:py-1.5 @max-[40rem]:text-white',
        )}
      >
        {detail}
      </p>
    </section>
  )
}

type MonthsProps = Omit<MonthsCalendarProps, 'label' | 'hint' | 'legend' | 'className'> & {
  months: number
  onActivate: (date: string) => void
}

/** Memoized, so that hovering over days does not rerender all of them. */
const Months = memo(function Months({
  month,
  months,
  today,
  dayState,
  onDayClick,
  onDayDoubleClick,
  onDaySelect = onDayClick,
  onDayToggle = onDayDoubleClick ?? onDayClick,
  onDayEnter,
  onDayRange,
  onActivate,
  dayExtra,
  ...view
}: MonthsProps) {
  const drag = useDrag(onDayRange)
  const focus = useDayFocus({ month, months, today, ...view })
  const activate = (date: string) => {
    onActivate(date)
    onDayEnter?.(date)
  }
  const handlers = { onDayClick, onDayDoubleClick, onDaySelect, onDayToggle, activate, drag }
  return (
    <div
      ref={focus.months}
      className={classNames('grid gap-x-4 gap-y-6 @min-[54rem]:gap-x-8', columns[months])}
    >
      {Array.from({ length: months }, (_, index) => (
        <Month
          // Keyed by position, so that a heading's live region announces the new month.
          // biome-ignore lint/suspicious/noArrayIndexKey: the positions are fixed
          key={index}
          month={shiftMonth(month, index)}
          day={date => (
            <Day
              key={date}
              date={date}
              state={dayState(date)}
              isToday={date === today}
              isTabStop={date === focus.tabStop}
              handlers={handlers}
              onFocus={() => focus.remember(date)}
              onKeyDown={event => focus.move(date, event)}
            >
              {dayExtra?.(date)}
            </Day>
          )}
        />
      ))}
    </div>
  )
})

const columns: Record<number, string> = {
  2: '@min-[32rem]:grid-cols-2',
  3: '@min-[40rem]:grid-cols-3',
}

/** A month as a grid. */
function Month({ month, day }: { month: string; day: (date: string) => ReactNode }) {
  const name = monthName(month)
  return (
    <div>
      <div className="mb-2 text-center text-lg font-semibold text-navy">
        <span role="status">{name}</span>
      </div>
      <table {...grid} aria-label={name} className="w-full table-fixed border-separate border-spacing-0.5">
        <thead aria-hidden>
          <tr>
            {weekdays.map(weekday => (
              <th
                key={weekday}
                scope="col"
                aria-label={weekday}
                className="h-8 text-sm font-semibold text-muted"
              >
                {weekday.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: weeks have no other key and do not move.
            <tr key={index}>
              {/* biome-ignore lint/suspicious/noArrayIndexKey: the same for cells without a date. */}
              {week.map((date, weekday) => (date ? day(date) : <td key={weekday} />))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The ARIA grid pattern; the roles are explicit, as in other tables. */
const grid = { role: 'grid' }
const cell = (isSelected: boolean) => ({ role: 'gridcell', 'aria-selected': isSelected || undefined })

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

type DayProps = {
  date: string
  state: DayState
  isToday: boolean
  isTabStop: boolean
  handlers: DayHandlers
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent) => void
  children: ReactNode
}

function Day({ onFocus, children, ...button }: DayProps) {
  return (
    <td
      {...cell(button.state.tone === 'selected')}
      data-day={button.date}
      className="relative h-11 p-0 text-center"
      onFocus={onFocus}
    >
      <DayButton {...button} />
      {children}
    </td>
  )
}

type DayView = Pick<MonthsProps, 'month' | 'months' | 'today' | 'onMonthChange' | 'minMonth' | 'maxMonth'>

/** The day that Tab reaches, and the keys that move the focus and, if necessary, the view. */
function useDayFocus({ month, months, today, onMonthChange, minMonth, maxMonth }: DayView) {
  const ref = useRef<HTMLDivElement>(null)
  const [last, setLast] = useState<string>()
  const target = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (!target.current) return
    ref.current?.querySelector<HTMLElement>(`[data-day="${target.current}"] button`)?.focus()
    target.current = undefined
  })
  const lastMonth = shiftMonth(month, months - 1)
  const isShown = (date: string) => date.slice(0, 7) >= month && date.slice(0, 7) <= lastMonth
  return {
    months: ref,
    tabStop: [last, today].find(date => date && isShown(date)) ?? `${month}-01`,
    remember: setLast,
    move: (date: string, event: KeyboardEvent) => {
      const next = dayAfterKey(date, event)
      if (!next) return
      event.preventDefault()
      const day = clampDay(next, minMonth, maxMonth)
      // At the first or last date nothing rerenders now; a later render would then steal the focus.
      if (day === date) return
      target.current = day
      setLast(day)
      // When the focus leaves the visible months, the view moves only as far as necessary.
      const shown = day.slice(0, 7)
      if (!isShown(day)) onMonthChange(shown > lastMonth ? shiftMonth(shown, 1 - months) : shown)
    },
  }
}

/** Selecting a range by dragging with a mouse or pen; touch scrolls the page instead. */
function useDrag(onDayRange: MonthsCalendarProps['onDayRange']) {
  const [range, setRange] = useState<{ from: string; to: string }>()
  const dragging = range !== undefined
  useEffect(() => {
    if (!dragging) return
    const end = () => setRange(undefined)
    window.addEventListener('pointerup', end)
    window.addEventListener('pointercancel', end)
    return () => {
      window.removeEventListener('pointerup', end)
      window.removeEventListener('pointercancel', end)
    }
  }, [dragging])

  const [first, last] = range ? [range.from, range.to].sort() : []
  return {
    includes: (date: string) =>
      first !== undefined && last !== undefined && first !== last && first <= date && date <= last,
    start: (date: string, event: PointerEvent) => {
      if (onDayRange && event.button === 0 && event.pointerType !== 'touch')
        setRange({ from: date, to: date })
    },
    enter: (date: string) => range && setRange({ from: range.from, to: date }),
    end: () => {
      if (first !== undefined && last !== undefined && first !== last) onDayRange?.(first, last)
    },
  }
}
