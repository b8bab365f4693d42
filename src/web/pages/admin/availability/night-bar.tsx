import { Link } from 'wouter'
import { classNames } from '../../../ui/class-names.ts'
import type { BarPart } from './bars.ts'

/** The looks of bars, in the calendar and in its legend. */
export const barLooks = {
  booking: 'bg-navy/15 text-navy',
  imported: 'border-y border-brass bg-brass/20 text-brass-dark',
} as const

/** A piece of a bar in the cell of its first day: behind the days of its nights, with its name before them. */
export function NightBar({ kind, name, title, href, nights, isFirst, isLast, isReachable }: BarPart) {
  // The days of a row are 2 px apart.
  const width = `calc(${nights * 100}% + ${(nights - 1) * 2}px)`
  const reach = isReachable ? {} : { tabIndex: -1, 'aria-hidden': true }
  return (
    <>
      {kind !== 'blocked' && (
        <span
          aria-hidden
          data-bar={kind}
          className={classNames(
            'pointer-events-none absolute inset-y-0 left-0 -z-1',
            barLooks[kind],
            isFirst && 'rounded-l-control',
            kind === 'booking' && isFirst && 'border-l-3 border-navy/60',
            isLast && 'rounded-r-control',
            kind === 'imported' && isFirst && 'border-l',
            kind === 'imported' && isLast && 'border-r',
          )}
          style={{ width }}
        />
      )}
      {href ? (
        <Link
          href={href}
          title={title}
          draggable={false}
          className={classNames(
            nameClass,
            'hover:underline',
            kind === 'imported' ? 'text-brass-dark' : 'text-navy',
          )}
          style={{ maxWidth: width }}
          {...reach}
        >
          {name}
        </Link>
      ) : (
        <span
          aria-hidden
          className={classNames(nameClass, 'pointer-events-none text-red')}
          style={{ maxWidth: width }}
        >
          {name}
        </span>
      )}
    </>
  )
}

const nameClass =
  'absolute bottom-0.5 left-0 z-1 block min-h-6 truncate rounded-control px-1.5 text-left text-[0.8125rem] leading-6 font-semibold'
