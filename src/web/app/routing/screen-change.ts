import { useEffect, useRef } from 'react'
import { useSite } from '../../api/site.ts'
import { documentTitle } from './titles.ts'

/** A new screen gets its title and starts at the top; going back, the browser restores the position. */
export function useScreenChange(path: string): void {
  const site = useSite()
  const title = site && documentTitle(path, site)
  useEffect(() => {
    if (title) document.title = title
  }, [title])

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
