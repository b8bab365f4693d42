import { Link, useLocation } from 'wouter'
import { Button } from '../ui/button.tsx'
import { paths } from './paths.ts'
import { RedirectTo } from './redirect-to.tsx'

/** Former paths, which may be bookmarked or in an old mail, and the screens that replace them. */
const movedScreens: Record<string, string> = {
  '/admin/setup': paths.adminFees,
  '/admin/calendars': paths.adminCalendars,
  '/admin/site/pictures': paths.adminSite,
  '/admin/site/lease': paths.adminDocuments,
  '/admin/site/mails': `${paths.adminDocuments}?kind=application-received`,
}

export function NotFound() {
  const [path] = useLocation()
  const moved = movedScreens[path]
  if (moved) return <RedirectTo to={moved} />
  return (
    <div className="relative isolate flex grow flex-col items-center bg-[#c1cedb] px-5 pt-16 pb-[60svh] text-center text-navy-dark sm:pt-24">
      <div
        aria-hidden
        className="sea-tall absolute inset-x-0 top-72 bottom-0 -z-10 bg-top! [mask-image:linear-gradient(transparent,black_9rem)] sm:sea-wide sm:top-64"
      />
      <h1 className="font-display text-3xl sm:text-[2.75rem]">This page went out with the tide</h1>
      <p className="mt-3 max-w-md text-lg">
        There is nothing at this address. It may have moved, or the link may have a typo.
      </p>
      <Button asChild className="mt-6">
        <Link href={paths.home}>Back to the home page</Link>
      </Button>
    </div>
  )
}
