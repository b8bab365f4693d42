import type { ComponentType } from 'react'
import type { Utils } from '../../api/api.ts'
import { partOnDemand } from '../../ui/on-demand.tsx'
import { Spinner } from '../../ui/spinner.tsx'

/** Fetches the data that a page needs first. */
type Prefetch = (utils: Utils) => void

/** A page whose code is loaded when it is first shown. `prepare` loads its code and data early. */
export function pageOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  prefetch?: Prefetch,
) {
  const page = partOnDemand(load, <LoadingPage />)
  const prepare = (utils: Utils) => {
    page.load().catch(() => undefined)
    prefetch?.(utils)
  }
  return Object.assign(page, { prepare })
}

/** Shown while the page's code or the session is loading. */
export function LoadingPage() {
  return (
    <div className="grid min-h-[50vh] place-items-center">
      <Spinner label="Loading..." className="noscript:hidden" />
      <noscript className="px-4 text-center">
        This part of the site needs JavaScript. Please turn it on in your browser.
      </noscript>
    </div>
  )
}
