import { formatShortDate } from '../../../domain/common/dates.ts'
import { useSite } from '../../api/site.ts'
import { isAdmin, useSession } from '../../session/session.tsx'

/**
 * In the admin's part of the demo, explains that no real money moves and links to the mailbox. If the demo clock is
 * moved, shows the date on every screen. Rendered inside the screen, so that it does not push existing content down.
 */
export function DemoBanner({ path }: { path: string }) {
  const site = useSite()
  const session = useSession()
  const isDemo = isAdmin(session) && path.startsWith('/admin') && (site?.sandbox || site?.mailbox)
  if (!site || !(isDemo || site.clockOffsetMs)) return null
  return (
    <p
      role="note"
      className="border-b border-yellow/30 bg-yellow-tint px-4 py-2 text-center text-[0.8125rem] sm:text-[0.9375rem] print:hidden"
    >
      {site.clockOffsetMs &&
        `This demo runs on a different clock: here it is ${formatShortDate(site.today)}. `}
      {isDemo && 'This is the demo: no real money moves. '}
      {isDemo && site.mailbox && (
        <a className="whitespace-nowrap link" href="/sandbox/mailbox">
          Open the mailbox
        </a>
      )}
    </p>
  )
}
