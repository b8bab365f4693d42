import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/** A grey block that keeps the place of what is being loaded; give it its height and width by class. */
export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      aria-hidden
      className={classNames('animate-shimmer rounded-control bg-linen/70', className ?? 'h-5 w-full')}
      {...props}
    />
  )
}
