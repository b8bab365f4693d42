import { CircleAlert } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/** The error message above a form; renders nothing if there is no message. */
export function FormError({ children, className, ...props }: ComponentProps<'div'>) {
  if (!children) return null
  return (
    <div
      role="alert"
      className={classNames(
        'flex gap-2.5 rounded-control border border-red/30 bg-red-tint px-4 py-3 font-semibold text-red',
        className,
      )}
      {...props}
    >
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  )
}
