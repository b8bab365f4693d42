import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { noBreakWords } from './no-break-words.tsx'

export function Card({ className, ...props }: ComponentProps<'section'>) {
  return (
    <section
      className={classNames('rounded-card border border-line bg-white shadow-card', className)}
      {...props}
    />
  )
}

type CardHeaderProps = Omit<ComponentProps<'header'>, 'title'> & {
  title: ReactNode
  subtitle?: ReactNode
  action?: ReactNode
  headingLevel?: 2 | 3 | 4
}

export function CardHeader({
  title,
  subtitle,
  action,
  headingLevel = 2,
  className,
  ...props
}: CardHeaderProps) {
  const Heading = `h${headingLevel}` as const
  return (
    <header
      className={classNames(
        'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line px-5 py-3.5 not-last:border-b sm:px-6',
        className,
      )}
      {...props}
    >
      <div className="min-w-0">
        <Heading className="text-lg leading-snug font-semibold text-navy">{noBreakWords(title)}</Heading>
        {subtitle && <p className="text-[0.9375rem] text-muted">{subtitle}</p>}
      </div>
      {action && <div className="flex flex-wrap items-center gap-2">{action}</div>}
    </header>
  )
}

export function CardBody({ className, ...props }: ComponentProps<'div'>) {
  return <div className={classNames('p-5 sm:p-6', className)} {...props} />
}
