import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/** A gray block as a placeholder for text or other content that is loading; its class sets height and width. */
export function Skeleton({ className, ...props }: ComponentProps<'span'>) {
  return (
    <span
      aria-hidden
      className={classNames('block animate-shimmer rounded-control bg-linen/70', className ?? 'h-5 w-full')}
      {...props}
    />
  )
}
