import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { classNames } from '../ui/class-names.ts'

type LinkTabsProps = {
  /** The name of the navigation for screen readers. */
  label: string
  tabs: readonly { href: string; isCurrent: boolean; content: ReactNode }[]
  className: string
}

/** Links that look like tabs. Where there is no room for all of them, the current one is scrolled into view. */
export function LinkTabs({ label, tabs, className }: LinkTabsProps) {
  const nav = useRef<HTMLElement>(null)
  const current = tabs.find(({ isCurrent }) => isCurrent)?.href
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>(`[href="${current}"]`)
    if (nav.current && link) nav.current.scrollLeft = link.offsetLeft - nav.current.offsetLeft - 48
  }, [current])
  return (
    <nav
      aria-label={label}
      ref={nav}
      className={classNames('flex gap-6 overflow-x-auto [scrollbar-width:none] fading-row', className)}
    >
      {tabs.map(({ content, href, isCurrent }) => (
        <Link
          key={href}
          href={href}
          aria-current={isCurrent ? 'page' : undefined}
          className="-mb-px flex min-h-11 items-center gap-1.5 border-b-2 border-transparent font-semibold whitespace-nowrap text-muted transition-colors hover:text-navy focus-visible:-outline-offset-2 aria-[current=page]:border-lagoon-dark aria-[current=page]:text-navy"
        >
          {content}
        </Link>
      ))}
      {/* The fade hides the end of the row. */}
      <span className="w-8 shrink-0 sm:hidden" />
    </nav>
  )
}
