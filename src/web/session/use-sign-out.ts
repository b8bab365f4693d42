import { useLocation } from 'wouter'
import { paths } from '../routing/paths.ts'
import { isAdmin, useSession } from './session.tsx'

/** Signs out, then opens the home page for tenants, or the admin login for admins. */
export function useSignOut(): () => Promise<void> {
  const session = useSession()
  const [, navigate] = useLocation()
  return async () => {
    const wasAdmin = isAdmin(session)
    await session.logout()
    navigate(wasAdmin ? paths.adminLogin : paths.home)
  }
}
