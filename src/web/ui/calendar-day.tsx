import { Check } from 'lucide-react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { classNames } from './class-names.ts'

type DayTone =
  | 'available'
  | 'unavailable'
  | 'booked'
  | 'departure'
  | 'noArrival'
  | 'unreachable'
  | 'past'
  | 'selected'

export type DayState = {
  tone: DayTone
  /** The reason or a detail, in addition to the name of the state. */
  label?: string | undefined
  /** Can be focused and read, but not chosen. */
  disabled?: boolean | undefined
  /** Replaces the style of the tone. */
  className?: string | undefined
}

type DayHandler = ((date: string) => void) | undefined

export type DayHandlers = {
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

/** Never by color alone: also by a struck-through number or a check mark. */
const tones: Record<DayTone, { name: string; className: string }> = {
  available: { name: 'Available', className: 'bg-green-tint text-green font-semibold' },
  unavailable: { name: 'Unavailable', className: 'bg-red-tint text-muted line-through' },
  booked: { name: 'Booked', className: 'bg-red-tint text-muted line-through' },
  departure: {
    name: 'Departure only',
    className: 'border border-line-strong bg-white text-green font-semibold',
  },
  noArrival: { name: 'No arrival', className: 'bg-shell text-muted italic' },
  unreachable: { name: 'After a taken night; press the arrival to start over', className: 'text-muted' },
  past: { name: 'Past', className: 'text-muted' },
  selected: { name: 'Selected', className: 'bg-blue text-white font-semibold' },
}

/** 'Wednesday, June 3, 2026: Unavailable, Booked', for screen readers, the title, and the line below the months. */
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

type DayButtonProps = {
  date: string
  state: DayState
  isToday: boolean
  /** Tab reaches only one day of the calendar; the arrow keys move to the others. */
  isTabStop: boolean
  handlers: DayHandlers
  onKeyDown: (event: KeyboardEvent) => void
}

/** One day. It can be focused even if it cannot be selected, so that keyboard users can read the reason. */
export function DayButton({ date, state, isToday, isTabStop, handlers, onKeyDown }: DayButtonProps) {
  const description = describeDay(date, state, isToday)
  const { drag } = handlers
  const choosable = !state.disabled && Boolean(handlers.onDaySelect ?? handlers.onDayToggle)
  const choose = (handler: DayHandler) => !state.disabled && handler?.(date)
  return (
    <button
      type="button"
      tabIndex={isTabStop ? 0 : -1}
      aria-label={description}
      title={description}
      aria-disabled={state.disabled || undefined}
      data-tone={state.tone}
      className={classNames(
        'relative flex size-full items-center justify-center rounded-control tabular-nums transition-shadow',
        'focus-visible:z-1 focus-visible:outline-offset-1',
        choosable ? 'hover:shadow-[inset_0_0_0_2px_var(--color-navy)]' : 'cursor-default',
        state.className ?? tones[state.tone].className,
        drag.includes(date) && 'shadow-[inset_0_0_0_2px_var(--color-blue)]',
      )}
      onClick={event => {
        // Some browsers do not focus a button on click.
        event.currentTarget.focus({ preventScroll: true })
        handlers.activate(date)
        choose(handlers.onDayClick)
      }}
      onDoubleClick={() => choose(handlers.onDayDoubleClick)}
      onFocus={() => handlers.activate(date)}
      onKeyDown={event => {
        onKeyDown(event)
        if (event.key !== ' ' && event.key !== 'Enter') return
        // By default both keys click the button; here they do different things.
        event.preventDefault()
        if (!event.repeat) choose(event.key === ' ' ? handlers.onDaySelect : handlers.onDayToggle)
      }}
      onKeyUp={event => event.key === ' ' && event.preventDefault()}
      onPointerDown={event => !state.disabled && drag.start(date, event)}
      onPointerEnter={() => {
        handlers.activate(date)
        drag.enter(date)
      }}
      onPointerUp={drag.end}
    >
      {Number(date.slice(8))}
      {state.tone === 'selected' && (
        <Check aria-hidden className="absolute top-0.5 right-0.5 size-3" strokeWidth={3.5} />
      )}
      {isToday && <span aria-hidden className="absolute inset-x-0 bottom-1 mx-auto h-0.5 w-4 bg-current" />}
    </button>
  )
}

/** The legend of the days' colors. */
export function CalendarLegend({
  items,
  className,
}: {
  /** `look` is for days with a special style. */
  items: readonly { tone: DayTone; label: string; look?: string }[]
  className?: string
}) {
  return (
    <ul className={classNames('flex flex-wrap gap-x-5 gap-y-2 text-[0.9375rem]', className)}>
      {items.map(({ tone, label, look }) => (
        <li key={label} className="flex items-center gap-2">
          <span
            aria-hidden
            className={classNames(
              'flex size-6 items-center justify-center rounded-[0.25rem] text-xs',
              look ?? tones[tone].className,
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
