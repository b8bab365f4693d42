import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type EmptyStateProps = {
  title: ReactNode
  hint?: ReactNode
  action?: ReactNode
  icon?: ReactNode
  /** Less tall, for use in a card with other content. */
  compact?: boolean
  className?: string
}

export function EmptyState({ title, hint, action, icon, compact, className }: EmptyStateProps) {
  return (
    <div
      className={classNames(
        'flex flex-col items-center px-5 text-center',
        compact ? 'py-4' : 'py-12',
        className,
      )}
    >
      {icon && (
        <div
          aria-hidden
          className="mb-4 flex size-14 items-center justify-center rounded-full bg-glass-light text-lagoon-dark [&_svg]:size-6"
        >
          {icon}
        </div>
      )}
      <p className="text-lg font-semibold text-navy">{title}</p>
      {hint && <p className="mt-1 max-w-md text-muted">{hint}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}
