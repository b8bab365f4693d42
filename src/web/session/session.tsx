import { createContext, useContext } from 'react'
import type { Outputs } from '../api/api.ts'
import { failureOf } from '../api/failures.ts'

export type User = Outputs['accounts']['verify']['user']
/** Why the session ended, for the message on the login screen. */
export type EndReason = 'logout' | 'idle' | 'expired'
export type SessionState =
  /** `isUnreachable`: the server could not check the token; the session may still be valid. */
  | { status: 'loading'; isUnreachable?: true }
  | { status: 'anonymous'; ended?: EndReason; endedUser?: Pick<User, 'id' | 'role'> }
  | { status: 'authenticated'; user: User }

export const idleMessage = 'You were signed out after 20 minutes of inactivity.'
export const expiredMessage = 'Your session has ended. Please log in again.'

/** A session that the server has created. */
export type NewSession = { token: string; user: User }

export type SessionActions = {
  /** Stores a session that the server has created. */
  begin: (token: string, user: User) => Promise<void>
  /** Stores the session of an admin. A user with another role is signed out again; then returns false. */
  beginAsAdmin: (session: NewSession) => Promise<boolean>
  /** Ends the session here and, if there is a token, on the server; a failure of that call is ignored. */
  logout: (reason?: EndReason) => Promise<void>
  /** Asks the server whether the session is still valid. */
  verify: () => Promise<boolean>
  /** Checks the token again after the server was unreachable. */
  retry: () => void
  setUser: (user: User) => void
}

type Session = SessionState & SessionActions

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider above it')
  return session
}

/** The signed-in user, for guarded screens. */
export function useUser(): User {
  const session = useSession()
  if (session.status !== 'authenticated') throw new Error('useUser needs a guarded screen')
  return session.user
}

export function isAdmin(session: SessionState): boolean {
  return session.status === 'authenticated' && session.user.role === 'admin'
}

/** Whether a failed call means that the session has ended. Used by screens with their own login prompt. */
export function isSessionExpired(error: unknown): boolean {
  const failure = failureOf(error)
  return failure.kind === 'refused' && failure.status === 401
}
