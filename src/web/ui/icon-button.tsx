import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

type IconButtonProps = ComponentProps<'button'> & {
  /** The accessible name, also shown as the tooltip. */
  label: string
  tone?: 'neutral' | 'danger'
}

/** A button with only an icon. */
export function IconButton({
  label,
  tone = 'neutral',
  className,
  type = 'button',
  ...props
}: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={classNames(
        'inline-flex size-10 shrink-0 items-center justify-center rounded-control transition-colors',
        'disabled:cursor-not-allowed disabled:opacity-50 [&_svg]:size-5',
        tone === 'danger'
          ? 'text-muted not-disabled:hover:bg-red-tint not-disabled:hover:text-red'
          : 'text-navy not-disabled:hover:bg-navy/7',
        className,
      )}
      {...props}
    />
  )
}
