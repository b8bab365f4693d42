import { useId } from 'react'
import { classNames } from './class-names.ts'

type ProgressBarProps = {
  label: string
  /** From 0 to 100. */
  percent: number
  /** A thin bar with the percentage next to it and no visible label. */
  compact?: boolean
  className?: string
}

export function ProgressBar({ label, percent, compact = false, className }: ProgressBarProps) {
  const labelId = useId()
  const value = Math.round(Math.min(100, Math.max(0, percent)))
  return (
    <div
      className={classNames(
        'flex items-center gap-x-3 gap-y-1.5',
        !compact && 'flex-wrap justify-between',
        className,
      )}
    >
      <span id={labelId} className={compact ? 'sr-only' : 'font-semibold text-navy'}>
        {label}
      </span>
      <span className={classNames('text-[0.9375rem] text-muted tabular-nums', compact && 'order-last')}>
        {value}%
      </span>
      <div
        role="progressbar"
        aria-labelledby={labelId}
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={100}
        className={classNames(
          'grow overflow-hidden rounded-full bg-linen',
          compact ? 'h-1.5' : 'h-2.5 basis-full',
        )}
      >
        <div
          className="h-full rounded-full bg-lagoon-dark transition-[width]"
          style={{ width: `${value}%` }}
        />
      </div>
    </div>
  )
}
