import { Spinner } from '../../ui/spinner.tsx'

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
