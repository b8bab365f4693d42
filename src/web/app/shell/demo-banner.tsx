import { useSite } from '../../api/site.ts'
import { isAdmin, useSession } from '../../session/session.tsx'

/**
 * Says in the admin's part of the demo that nothing is real, and where the mails are. Inside the screen, so that it does
 * not push down what is there already.
 */
export function DemoBanner({ path }: { path: string }) {
  const site = useSite()
  const session = useSession()
  if (!isAdmin(session) || !path.startsWith('/admin') || !(site?.sandbox || site?.mailbox)) return null
  return (
    <p
      role="note"
      className="border-b border-yellow/30 bg-yellow-tint px-4 py-2 text-center text-[0.9375rem] print:hidden"
    >
      This is the demo: no real money moves.{' '}
      {site.mailbox && (
        <a className="link" href="/sandbox/mailbox">
          Open the mailbox
        </a>
      )}
    </p>
  )
}
