import { Link } from 'wouter'
import { classNames } from '../../../ui/class-names.ts'
import type { BarPart } from './bars.ts'

/** The styles of bars, in the calendar and in its legend. */
export const barClasses = {
  booking: 'bg-navy/15 text-navy',
  imported: 'border-y border-brass bg-brass/20 text-brass-dark',
} as const

/** A part of a bar, rendered in the cell of its first day: the bar is behind the days, its name in front of them. */
export function NightBar(part: BarPart) {
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
  return (
    <>
      {isStay && (
        <span
          aria-hidden
          data-bar={kind}
          className={classNames(
            'pointer-events-none absolute inset-y-0 -z-1',
            barClasses[kind],
            isFirst && 'rounded-l-control',
            isLast && 'rounded-r-control',
            kind === 'imported' && isFirst && 'border-l',
            kind === 'imported' && isLast && 'border-r',
          )}
          style={{ left, width }}
        />
      )}
      {isNamed && href && (
        <Link
          href={href}
          title={title}
          draggable={false}
          className={classNames(
            nameClass,
            'hover:underline',
            kind === 'imported' ? 'text-brass-dark' : 'text-navy',
          )}
          style={namePlace}
          {...reach}
        >
          {name}
        </Link>
      )}
      {isNamed && !href && (
        <span
          aria-hidden
          className={classNames(nameClass, 'pointer-events-none text-red')}
          style={{ left, maxWidth: width }}
        >
          {name}
        </span>
      )}
    </>
  )
}

const nameClass =
  'absolute bottom-0.5 z-1 block min-h-6 truncate rounded-control px-1 text-left text-[0.8125rem] leading-6 font-semibold sm:px-1.5'
