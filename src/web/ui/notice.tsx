import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

const tones = {
  info: { Icon: Info, look: 'border-blue/25 bg-blue-tint', mark: 'text-blue' },
  success: { Icon: CircleCheck, look: 'border-green/25 bg-green-tint', mark: 'text-green' },
  warning: { Icon: TriangleAlert, look: 'border-yellow/30 bg-yellow-tint', mark: 'text-yellow' },
  danger: { Icon: CircleAlert, look: 'border-red/25 bg-red-tint', mark: 'text-red' },
}

type NoticeProps = Omit<ComponentProps<'div'>, 'title'> & {
  tone?: keyof typeof tones
  title?: ReactNode
  action?: ReactNode
}

/** A banner that belongs to the screen. Give it `role="status"` when it appears after an action. */
export function Notice({ tone = 'info', title, action, children, className, ...props }: NoticeProps) {
  const { Icon, look, mark } = tones[tone]
  return (
    <div className={classNames('flex gap-3 rounded-card border p-4', look, className)} {...props}>
      <Icon aria-hidden className={classNames('mt-0.5 size-5 shrink-0', mark)} />
      <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          {title && <p className="font-semibold text-navy">{title}</p>}
          {children && <div className="text-ink">{children}</div>}
        </div>
        {action}
      </div>
    </div>
  )
}
