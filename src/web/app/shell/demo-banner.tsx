import { useSite } from '../../api/site.ts'
import { useSession } from '../../session/session.tsx'

/**
 * In the back office of the demo: that nothing here is real, and where the mails are. It belongs inside the screen and
 * comes together with it: above it, it would push down what is there already.
 */
export function DemoBanner({ path }: { path: string }) {
  const site = useSite()
  const session = useSession()
  const isAdmin = session.status === 'authenticated' && session.user.role === 'admin'
  if (!isAdmin || !path.startsWith('/admin') || !(site?.sandbox || site?.mailbox)) return null
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
