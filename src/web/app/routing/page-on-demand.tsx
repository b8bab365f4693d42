import type { ComponentType } from 'react'
import type { Utils } from '../../api/api.ts'
import { partOnDemand } from '../../ui/on-demand.tsx'
import { Spinner } from '../../ui/spinner.tsx'

/** Asks for the data that a page shows first. */
type Prefetch = (utils: Utils) => void

/** A page whose code is loaded when it is first shown. `prepare` asks for code and data while the session is checked. */
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

/** While a page, or who is signed in, is being loaded. */
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
