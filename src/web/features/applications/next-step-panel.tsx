import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { noBreak } from '../../../domain/common/no-break.ts'
import { classNames } from '../../ui/class-names.ts'

type NextStepPanelProps = {
  /** The screen's heading, if the panel is at the top of the screen. */
  heading?: ReactNode
  /** The context of the step, shown above its title. */
  about?: ReactNode
  title?: ReactNode
  text?: ReactNode
  action?: ReactNode
  /** Shows the panel in a light color, because there is nothing to do. */
  isQuiet?: boolean | undefined
  /** Shows the step in red, because it is overdue; the whole panel if it has no heading. */
  isOverdue?: boolean | undefined
}

/** The next step, shown first on the screen. */
export function NextStepPanel({
  heading,
  about,
  title,
  text,
  action,
  isOverdue,
  isQuiet,
}: NextStepPanelProps) {
  const isAlarm = isOverdue && !heading
  // Below a heading, which stays navy.
  const isRedBelow = isOverdue && !isAlarm
  const isOnLight = isOverdue || isQuiet
  return (
    <section
      aria-label="Next step"
      className={classNames(
        'grid gap-5 rounded-card px-5 sm:gap-6 sm:px-6',
        isQuiet ? 'py-5' : 'py-6 sm:py-8',
        isOnLight ? 'text-navy' : 'bg-navy text-white',
        isOverdue ? 'bg-red-tint' : isQuiet && 'bg-glass-light',
        isAlarm && 'outline-2 -outline-offset-2 outline-red',
      )}
    >
      {isRedBelow ? (
        <div className="-mx-5 -mt-6 rounded-t-card bg-navy px-5 py-6 text-white sm:-mx-6 sm:-mt-8 sm:px-6 sm:pt-8">
          {heading}
          <p className="mt-2 text-[0.9375rem] text-glass">{about}</p>
        </div>
      ) : (
        heading
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 empty:hidden">
        <div className="min-w-0 max-sm:w-full sm:flex-1 sm:basis-64">
          {about && !isRedBelow && (
            <p className={classNames('mb-2 text-[0.9375rem]', isOnLight ? 'text-ink' : 'text-glass')}>
              {about}
            </p>
          )}
          {title && (
            <p className={classNames('text-xl leading-snug font-semibold', isOverdue && 'text-red')}>
              {isOverdue && <CircleAlert aria-hidden className="mr-2 -mt-1 inline size-6" />}
              {title}
            </p>
          )}
          {text && (
            <p className={classNames('mt-0.5', isOnLight ? 'text-ink' : 'text-white/85')}>{noBreak(text)}</p>
          )}
        </div>
        {action && (
          <div className="flex flex-wrap gap-3 empty:hidden max-sm:w-full max-sm:*:grow">{action}</div>
        )}
      </div>
    </section>
  )
}
