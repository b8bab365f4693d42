import { createContext, useContext } from 'react'
import type { Outputs } from '../api/api.ts'
import { failureOf } from '../api/failures.ts'

export type User = Outputs['accounts']['verify']['user']
/** Why the session ended, for the login screen to say. */
export type EndReason = 'logout' | 'idle' | 'expired'
export type SessionState =
  | { status: 'loading' }
  | { status: 'anonymous'; ended?: EndReason; endedUser?: Pick<User, 'id' | 'role'> }
  | { status: 'authenticated'; user: User }

export const idleMessage = 'You were signed out after 20 minutes of inactivity.'
export const expiredMessage = 'Your session has ended. Please log in again.'

/** A session that the server has begun. */
export type BegunSession = { token: string; user: User }

export type SessionActions = {
  /** Keeps a session that the server has begun. */
  begin: (token: string, user: User) => Promise<void>
  /** Keeps the session of an admin; another role is signed out again, and false says so. */
  beginAsAdmin: (session: BegunSession) => Promise<boolean>
  /** Ends the session here and, where there is a token, on the server; a failure of that call is ignored. */
  logout: (reason?: EndReason) => Promise<void>
  /** Asks the server whether the session still lives; false when it does not. */
  verify: () => Promise<boolean>
  setUser: (user: User) => void
}

type Session = SessionState & SessionActions

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider above it')
  return session
}

/** The signed-in user, for screens behind a guard. */
export function useUser(): User {
  const session = useSession()
  if (session.status !== 'authenticated') throw new Error('useUser needs a guarded screen')
  return session.user
}

export function isAdmin(session: SessionState): boolean {
  return session.status === 'authenticated' && session.user.role === 'admin'
}

/** Whether a failed call says that the session is over, for screens that have a prompt of their own. */
export function isSessionExpired(error: unknown): boolean {
  const failure = failureOf(error)
  return failure.kind === 'refused' && failure.status === 401
}
