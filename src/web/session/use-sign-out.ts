import { useLocation } from 'wouter'
import { paths } from '../routing/paths.ts'
import { useSession } from './session.tsx'

/** Signs out by hand and leaves: tenants to the home page, admins to their login. */
export function useSignOut(): () => Promise<void> {
  const session = useSession()
  const [, navigate] = useLocation()
  return async () => {
    const wasAdmin = session.status === 'authenticated' && session.user.role === 'admin'
    await session.logout()
    navigate(wasAdmin ? paths.adminLogin : paths.home)
  }
}
