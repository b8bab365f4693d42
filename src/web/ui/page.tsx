import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { noBreakWords } from './no-break-words.tsx'

// The back office sets `--page-width`, so that its screens are as wide as its header.
const widths = { narrow: 'max-w-3xl', normal: 'max-w-[var(--page-width,72rem)]', wide: 'max-w-[90rem]' }

type PageProps = {
  title: ReactNode
  subtitle?: ReactNode
  action?: ReactNode
  /** A link to the previous screen, above the title. */
  back?: ReactNode
  /** Links to the screens beside this one, below the title. */
  tabs?: ReactNode
  width?: keyof typeof widths
  className?: string
  children: ReactNode
}

/** The frame of a signed-in screen: heading, actions, content. */
export function Page({
  title,
  subtitle,
  action,
  back,
  tabs,
  width = 'normal',
  className,
  children,
}: PageProps) {
  return (
    <div className={classNames('mx-auto w-full px-4 py-6 sm:px-6 sm:py-8', widths[width], className)}>
      <header className={tabs ? 'mb-4' : 'mb-6 sm:mb-8'}>
        {back && <div className="mb-3 text-[0.9375rem]">{back}</div>}
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-4">
          <div className="min-w-0 grow basis-60">
            <h1 className="page-heading">{noBreakWords(title)}</h1>
            {subtitle && <p className="wrap-anywhere mt-1 text-muted">{subtitle}</p>}
          </div>
          {action && <div className="flex flex-wrap items-center gap-3">{action}</div>}
        </div>
      </header>
      {tabs}
      {children}
    </div>
  )
}
