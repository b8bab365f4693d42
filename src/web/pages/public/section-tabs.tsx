import { useEffect, useRef, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'

const tabs = [
  ['overview', 'Overview'],
  ['gallery', 'Gallery'],
  ['rates', 'Rates'],
  ['availability', 'Availability'],
  ['amenities', 'Amenities'],
  ['reviews', 'Reviews'],
  ['location', 'Location'],
] as const

/** A sticky bar below the header with links to the sections of the page; it highlights the current section. */
export function SectionTabs({ hasAmenities }: { hasAmenities: boolean }) {
  const current = useSectionInSight()
  const list = useRef<HTMLUListElement>(null)

  useEffect(() => {
    const bar = list.current
    const tab = bar?.querySelector<HTMLElement>(`[href="#${current}"]`)
    // Not scrollIntoView, which would stop the page's smooth scrolling. Above all sections the bar scrolls back to its
    // start.
    bar?.scrollTo({ left: tab ? tab.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2 : 0 })
  }, [current])

  return (
    <nav
      aria-label="Parts of this page"
      className="sticky top-16 z-20 border-b border-line bg-canvas/95 backdrop-blur-sm"
    >
      <ul
        ref={list}
        className="relative mx-auto flex max-w-6xl overflow-x-auto px-0.5 [scrollbar-width:none] max-sm:[mask-image:linear-gradient(to_right,black_calc(100%-3rem),transparent)] max-sm:pr-9 sm:px-2"
      >
        {tabs.map(([id, label]) => (
          <li key={id} hidden={!hasAmenities && id === 'amenities'}>
            <a
              href={`#${id}`}
              aria-current={id === current ? 'true' : undefined}
              className={classNames(
                'flex min-h-13 items-center border-y-2 border-transparent px-3.5 text-[0.9375rem] font-semibold whitespace-nowrap',
                'text-muted transition-colors hover:text-navy focus-visible:-outline-offset-4 sm:px-4',
                'aria-[current]:border-b-brass aria-[current]:text-navy',
              )}
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The id of the section at a third of the window's height; at the end of the page, the last section. */
function useSectionInSight(): string | undefined {
  const [current, setCurrent] = useState<string>()
  useEffect(() => {
    let frame = 0
    const measure = () => {
      frame = 0
      const line = window.innerHeight / 3
      const atEnd =
        window.scrollY > 0 && window.innerHeight + window.scrollY >= document.body.scrollHeight - 4
      const passed = tabs.filter(([id]) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top
        return top !== undefined && (top <= line || (atEnd && top < window.innerHeight))
      })
      setCurrent(passed.at(-1)?.[0])
    }
    const schedule = () => {
      frame ||= requestAnimationFrame(measure)
    }
    measure()
    window.addEventListener('scroll', schedule, { passive: true })
    window.addEventListener('resize', schedule)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', schedule)
      window.removeEventListener('resize', schedule)
    }
  }, [])
  return current
}
