import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

const tones = {
  green: 'bg-green-tint text-green',
  blue: 'bg-blue-tint text-blue',
  yellow: 'bg-yellow-tint text-yellow',
  red: 'bg-red-tint text-red',
  neutral: 'bg-shell text-muted',
}

export type BadgeTone = keyof typeof tones

/** A status as text; the color is only an addition. */
export function Badge({
  tone = 'neutral',
  className,
  children,
  ...props
}: ComponentProps<'span'> & { tone?: BadgeTone }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-sm font-semibold whitespace-nowrap',
        tones[tone],
        className,
      )}
      {...props}
    >
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {children}
    </span>
  )
}
