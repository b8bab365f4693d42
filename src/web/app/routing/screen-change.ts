import { useEffect, useRef } from 'react'
import { useSite } from '../../api/site.ts'

/** A new screen gets its title and starts at the top; after going back, the browser restores the scroll position. */
export function useScreenChange(path: string): void {
  const site = useSite()
  const { homeTitle, propertyName } = site ?? {}
  // A server-rendered page already has its title.
  const titled = useRef(isServerRendered() ? path : undefined)
  useEffect(() => {
    if (titled.current === path) return
    titled.current = undefined
    if (homeTitle === undefined || propertyName === undefined) return
    let isShown = true
    import('./screen-table.ts').then(
      ({ documentTitle }) => {
        if (isShown) document.title = documentTitle(path, { homeTitle, propertyName })
      },
      () => undefined,
    )
    return () => {
      isShown = false
    }
  }, [path, homeTitle, propertyName])

  const shown = useRef(path)
  const wentBackTo = useRef<string>(undefined)
  useEffect(() => {
    const note = () => {
      wentBackTo.current = window.location.pathname
    }
    window.addEventListener('popstate', note)
    return () => window.removeEventListener('popstate', note)
  }, [])
  useEffect(() => {
    if (shown.current !== path && wentBackTo.current !== path)
      window.scrollTo({ top: 0, behavior: 'instant' })
    shown.current = path
    wentBackTo.current = undefined
  }, [path])
}

const isServerRendered = () =>
  typeof document !== 'undefined' && document.querySelector('#page-data, #site-data') !== null
