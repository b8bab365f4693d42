import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { noBreak } from '../../domain/common/no-break.ts'
import { classNames } from './class-names.ts'

export const noticeTones = {
  info: { Icon: Info, boxClass: 'border-blue/25 bg-blue-tint', iconClass: 'text-blue' },
  success: { Icon: CircleCheck, boxClass: 'border-green/25 bg-green-tint', iconClass: 'text-green' },
  warning: { Icon: TriangleAlert, boxClass: 'border-yellow/30 bg-yellow-tint', iconClass: 'text-yellow' },
  danger: { Icon: CircleAlert, boxClass: 'border-red/25 bg-red-tint', iconClass: 'text-red' },
}

type NoticeProps = Omit<ComponentProps<'div'>, 'title'> & {
  tone?: keyof typeof noticeTones
  title?: ReactNode
  action?: ReactNode
}

/** A banner within a screen. Set `role="status"` if it appears after an action. */
export function Notice({ tone = 'info', title, action, children, className, ...props }: NoticeProps) {
  const { Icon, boxClass, iconClass } = noticeTones[tone]
  return (
    <div className={classNames('flex gap-3 rounded-card border p-4', boxClass, className)} {...props}>
      <Icon aria-hidden className={classNames('mt-0.5 size-5 shrink-0', iconClass)} />
      <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 wrap-anywhere">
          {title && <p className="font-semibold text-navy">{noBreak(title)}</p>}
          {children && <div className="text-ink">{noBreak(children)}</div>}
        </div>
        {action}
      </div>
    </div>
  )
}
