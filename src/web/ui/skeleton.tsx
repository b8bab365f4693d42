import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/** A gray block as a placeholder for content that is loading; its class sets height and width. */
export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      aria-hidden
      className={classNames('animate-shimmer rounded-control bg-linen/70', className ?? 'h-5 w-full')}
      {...props}
    />
  )
}
