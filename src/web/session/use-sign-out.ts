import { useLocation } from 'wouter'
import { paths } from '../routing/paths.ts'
import { isAdmin, useSession } from './session.tsx'

/** Signs out and leads tenants to the home page, admins to their login. */
export function useSignOut(): () => Promise<void> {
  const session = useSession()
  const [, navigate] = useLocation()
  return async () => {
    const wasAdmin = isAdmin(session)
    await session.logout()
    navigate(wasAdmin ? paths.adminLogin : paths.home)
  }
}
