import { ChevronLeft, ChevronRight } from 'lucide-react'
import { memo, type PointerEvent, useEffect, useState } from 'react'
import { DayPicker } from 'react-day-picker'
import { Button } from './button.tsx'
import { shiftMonth, toCalendarDate, toLocalDate, toMonth } from './calendar-dates.ts'
import { CalendarContext, type DayState, describeDay, PickerDayButton } from './calendar-day.tsx'
import { classNames } from './class-names.ts'

type MonthsCalendarProps = {
  /** Names the calendar for screen readers. */
  label: string
  /** The first month shown, YYYY-MM. */
  month: string
  onMonthChange: (month: string) => void
  /** How many months are shown, side by side where there is room. */
  months?: number
  /** The first and last months that can be reached, YYYY-MM. */
  minMonth?: string
  maxMonth?: string
  /** YYYY-MM-DD; the calendar never reads the clock. */
  today: string
  dayState: (date: string) => DayState
  onDayClick?: (date: string) => void
  onDayDoubleClick?: (date: string) => void
  /** Space; a click unless given. */
  onDaySelect?: (date: string) => void
  /** Enter; a double click unless given, else a click. */
  onDayToggle?: (date: string) => void
  /** The pointer or the focus entered a day. */
  onDayEnter?: (date: string) => void
  /** A mouse or pen dragged from one day to another; earlier date first. */
  onDayRange?: (from: string, to: string) => void
  className?: string
}

/**
 * Months of days, each with a state. The state of the day under the pointer or the focus is also written below the
 * months. Arrows, Home, End, Page Up and Page Down move between days and months.
 */
export function MonthsCalendar({ label, className, ...props }: MonthsCalendarProps) {
  const [activeDay, setActiveDay] = useState<string>()
  const { month, onMonthChange, months = 3, minMonth, maxMonth, today, dayState } = props
  return (
    <section aria-label={label} className={classNames('@container select-none', className)}>
      <div className="mb-4 flex justify-between gap-3 noscript:hidden">
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
      <p
        data-calendar-detail
        className={classNames(
          'mt-3 min-h-6 text-center text-[0.9375rem] text-muted',
          // Stacked months are high: the description stays in view of its day.
          activeDay &&
            '@max-[40rem]:sticky @max-[40rem]:bottom-3 @max-[40rem]:z-2 @max-[40rem]:mx-auto @max-[40rem]:w-fit @max-[40rem]:rounded-control @max-[40rem]:bg-navy-dark @max-[40rem]:px-3 @max-[40rem]:py-1.5 @max-[40rem]:text-white',
        )}
      >
        {activeDay && describeDay(activeDay, dayState(activeDay), activeDay === today)}
      </p>
    </section>
  )
}

type MonthsProps = Omit<MonthsCalendarProps, 'label' | 'className'> & {
  months: number
  onActivate: (date: string) => void
}

/** Memoized, so that a pointer moving over the days does not render all of them again. */
const Months = memo(function Months({
  month,
  onMonthChange,
  months,
  minMonth,
  maxMonth,
  today,
  dayState,
  onDayClick,
  onDayDoubleClick,
  onDaySelect = onDayClick,
  onDayToggle = onDayDoubleClick ?? onDayClick,
  onDayEnter,
  onDayRange,
  onActivate,
}: MonthsProps) {
  const drag = useDrag(onDayRange)
  const lastMonth = shiftMonth(month, months - 1)
  // When the focus leaves the last month, the view moves only as far as needed.
  const followFocus = (target: string) =>
    onMonthChange(target > lastMonth ? shiftMonth(target, 1 - months) : target)
  const activate = (date: string) => {
    onActivate(date)
    onDayEnter?.(date)
  }
  return (
    <CalendarContext
      value={{ dayState, onDayClick, onDayDoubleClick, onDaySelect, onDayToggle, activate, drag }}
    >
      <DayPicker
        month={toLocalDate(`${month}-01`)}
        onMonthChange={date => followFocus(toMonth(date))}
        startMonth={minMonth ? toLocalDate(`${minMonth}-01`) : undefined}
        endMonth={maxMonth ? toLocalDate(`${maxMonth}-01`) : undefined}
        numberOfMonths={months}
        today={toLocalDate(today)}
        modifiers={{ selected: date => dayState(toCalendarDate(date)).tone === 'selected' }}
        hideNavigation
        fixedWeeks
        // The day's own button handles clicks; without this the picker renders no buttons.
        onDayClick={() => undefined}
        components={pickerComponents}
        classNames={{
          months: classNames('grid gap-x-4 gap-y-6 @min-[54rem]:gap-x-8', columns[months]),
          month_caption: 'mb-2 text-center text-lg font-semibold text-navy',
          month_grid: 'w-full table-fixed border-separate border-spacing-0.5',
          weekday: 'h-8 text-sm font-semibold text-muted',
          // Six weeks make the months of a row equally high; stacked months do not need the empty ones.
          week: '@max-[32rem]:[&:not(:has(button))]:hidden',
          day: 'h-11 p-0 text-center',
        }}
      />
    </CalendarContext>
  )
})

const columns: Record<number, string> = {
  2: '@min-[32rem]:grid-cols-2',
  3: '@min-[40rem]:grid-cols-3',
}

const pickerComponents = { DayButton: PickerDayButton }

/** A range drawn with a mouse or a pen; a finger scrolls the page instead. */
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
