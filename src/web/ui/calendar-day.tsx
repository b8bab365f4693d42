import { Check } from 'lucide-react'
import { createContext, type PointerEvent, use, useEffect, useRef } from 'react'
import type { DayButtonProps } from 'react-day-picker'
import { classNames } from './class-names.ts'

type DayTone = 'available' | 'unavailable' | 'booked' | 'noArrival' | 'past' | 'selected'

export type DayState = {
  tone: DayTone
  /** The reason, or a detail; the state itself is always named. */
  label?: string | undefined
  /** Can be focused and read, but not chosen. */
  disabled?: boolean | undefined
}

type DayHandler = ((date: string) => void) | undefined

type CalendarValue = {
  dayState: (date: string) => DayState
  onDayClick: DayHandler
  onDayDoubleClick: DayHandler
  onDaySelect: DayHandler
  onDayToggle: DayHandler
  activate: (date: string) => void
  drag: {
    includes: (date: string) => boolean
    start: (date: string, event: PointerEvent) => void
    enter: (date: string) => void
    end: () => void
  }
}

export const CalendarContext = createContext<CalendarValue | null>(null)

/** Never by color alone: also by stripes and a struck number, a check mark, or a plain number. */
const tones: Record<DayTone, { name: string; className: string }> = {
  available: { name: 'Available', className: 'bg-green-tint text-green font-semibold' },
  unavailable: { name: 'Unavailable', className: 'calendar-stripes bg-red-tint text-red line-through' },
  booked: { name: 'Booked', className: 'calendar-stripes bg-red-tint text-red line-through' },
  noArrival: { name: 'No arrival', className: 'bg-shell text-muted italic' },
  past: { name: 'Past', className: 'text-muted' },
  selected: { name: 'Selected', className: 'bg-blue text-white font-semibold' },
}

/** 'Wednesday, June 3, 2026: Unavailable, Booked', for screen readers, the title and the line below the months. */
export function describeDay(date: string, { tone, label }: DayState, isToday: boolean): string {
  const day = dayFormat.format(new Date(`${date}T12:00:00Z`))
  const { name } = tones[tone]
  const state =
    !label || label.toLowerCase().startsWith(name.toLowerCase()) ? label || name : `${name}, ${label}`
  return `${isToday ? 'Today, ' : ''}${day}: ${state}`
}

const dayFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
})

/** One day, focusable also when it cannot be chosen, so that the keyboard reaches its reason. */
export function PickerDayButton({ day, modifiers, className, children, ...props }: DayButtonProps) {
  const calendar = use(CalendarContext)
  if (!calendar) throw new Error('A day outside a MonthsCalendar')
  const ref = useRef<HTMLButtonElement>(null)
  const focused = modifiers.focused
  useEffect(() => {
    if (focused) ref.current?.focus()
  }, [focused])

  const date = day.isoDate
  const state = calendar.dayState(date)
  const description = describeDay(date, state, Boolean(modifiers.today))
  const { drag } = calendar
  const choosable = !state.disabled && Boolean(calendar.onDaySelect ?? calendar.onDayToggle)
  const choose = (handler: DayHandler) => !state.disabled && handler?.(date)

  return (
    <button
      {...props}
      ref={ref}
      aria-label={description}
      title={description}
      aria-disabled={state.disabled || undefined}
      data-tone={state.tone}
      className={classNames(
        'relative flex size-full items-center justify-center rounded-control tabular-nums transition-shadow',
        'focus-visible:z-1 focus-visible:outline-offset-1',
        choosable ? 'hover:shadow-[inset_0_0_0_2px_var(--color-navy)]' : 'cursor-default',
        tones[state.tone].className,
        drag.includes(date) && 'shadow-[inset_0_0_0_2px_var(--color-blue)]',
      )}
      onClick={event => {
        props.onClick?.(event)
        calendar.activate(date)
        choose(calendar.onDayClick)
      }}
      onDoubleClick={() => choose(calendar.onDayDoubleClick)}
      onFocus={event => {
        props.onFocus?.(event)
        calendar.activate(date)
      }}
      onKeyDown={event => {
        props.onKeyDown?.(event)
        if (event.key !== ' ' && event.key !== 'Enter') return
        // Both keys click a button by default; here they differ.
        event.preventDefault()
        if (!event.repeat) choose(event.key === ' ' ? calendar.onDaySelect : calendar.onDayToggle)
      }}
      onKeyUp={event => event.key === ' ' && event.preventDefault()}
      onPointerDown={event => !state.disabled && drag.start(date, event)}
      onPointerEnter={() => {
        calendar.activate(date)
        drag.enter(date)
      }}
      onPointerUp={drag.end}
    >
      {children}
      {state.tone === 'selected' && (
        <Check aria-hidden className="absolute top-0.5 right-0.5 size-3" strokeWidth={3.5} />
      )}
      {modifiers.today && (
        <span aria-hidden className="absolute inset-x-0 bottom-1 mx-auto h-0.5 w-4 bg-current" />
      )}
    </button>
  )
}

/** Explains the colors of the days. */
export function CalendarLegend({
  items,
  className,
}: {
  items: readonly { tone: DayTone; label: string }[]
  className?: string
}) {
  return (
    <ul className={classNames('flex flex-wrap gap-x-5 gap-y-2 text-[0.9375rem]', className)}>
      {items.map(({ tone, label }) => (
        <li key={tone} className="flex items-center gap-2">
          <span
            aria-hidden
            className={classNames(
              'flex size-6 items-center justify-center rounded-[0.25rem] text-xs',
              tones[tone].className,
              tone === 'past' && 'border border-line',
            )}
          >
            {tone === 'selected' ? <Check className="size-3.5" strokeWidth={3} /> : '8'}
          </span>
          {label}
        </li>
      ))}
    </ul>
  )
}
