import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { idleForMs, idleMs, markActivity } from './activity.ts'
import { api, failureOf, type Outputs } from './api.ts'
import { isPublicQuery } from './page-data.ts'
import { readToken, removeToken, storeToken, watchToken } from './token.ts'

export type User = Outputs['accounts']['verify']['user']
/** Why nobody is signed in any more, for the login screen to say. */
export type EndReason = 'logout' | 'idle' | 'expired'
export type SessionState =
  | { status: 'loading' }
  | { status: 'anonymous'; ended?: EndReason; endedRole?: User['role'] }
  | { status: 'authenticated'; user: User }

export const idleMessage = 'You were signed out after 20 minutes of inactivity.'
export const expiredMessage = 'Your session has ended. Please log in again.'
/** Spec §4: between the stored token and the set user. */
const settleMs = 100

type Session = SessionState & {
  /** Signs in and keeps the session. Rejects with the call's error. */
  login: (credentials: { email: string; password: string }) => Promise<User>
  /** Signs in at the admin's door: another role is signed out again and answered with undefined. */
  loginAsAdmin: (credentials: { email: string; password: string }) => Promise<User | undefined>
  /** Ends the session here and, where there is a token, on the server; a failure of that call is ignored. */
  logout: (reason?: EndReason) => Promise<void>
  /** Asks the server whether the session still lives; false when it does not. */
  verify: () => Promise<boolean>
  setUser: (user: User) => void
}

const SessionContext = createContext<Session | undefined>(undefined)

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

export function SessionProvider({ children, onExpired }: { children: ReactNode; onExpired: ExpirySignal }) {
  const [state, setState] = useState<SessionState>(() => ({ status: readToken() ? 'loading' : 'anonymous' }))
  const { client } = api.useUtils()
  const queries = useQueryClient()
  const current = useRef(state)
  current.current = state

  const end = useCallback(
    (reason?: EndReason) => {
      const before = current.current
      removeToken()
      // Half-filled forms outlive a session that ran out, but not a logout on a computer that others use too.
      if (reason === 'logout') sessionStorage.clear()
      setState({
        status: 'anonymous',
        ...(reason && { ended: reason }),
        ...(before.status === 'authenticated' && { endedRole: before.user.role }),
      })
      queries.removeQueries({ predicate: query => !isPublicQuery(query.queryKey) })
      queries.getMutationCache().clear()
    },
    [queries],
  )

  const start = useCallback(async (token: string, user: User) => {
    markActivity()
    storeToken(token)
    await new Promise(resolve => setTimeout(resolve, settleMs))
    setState({ status: 'authenticated', user })
  }, [])

  const verify = useCallback(async () => {
    try {
      const { user } = await client.accounts.verify.query()
      // What is still being loaded for the new state comes first; until then the screen stays as it is.
      startTransition(() => setState({ status: 'authenticated', user }))
      return true
    } catch {
      return false
    }
  }, [client])

  useEffect(() => {
    // A page that is being left drops its calls: that says nothing about the session, and the next page has it too.
    let isLeft = false
    const load = async () => {
      if (!(await verify()) && !isLeft) startTransition(() => end())
    }
    const leave = () => {
      isLeft = true
    }
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      isLeft = false
      if (persisted && readToken()) void load()
    }
    window.addEventListener('pagehide', leave)
    window.addEventListener('pageshow', comeBack)
    if (readToken()) void load()
    const unwatch = watchToken(token => {
      if (token === null) end(current.current.status === 'authenticated' ? endedElsewhere() : undefined)
      else void load()
    })
    return () => {
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('pageshow', comeBack)
      unwatch()
    }
  }, [verify, end])

  useEffect(() => onExpired.listen(() => end('expired')), [onExpired, end])

  const setUser = useCallback((user: User) => setState({ status: 'authenticated', user }), [])

  const session = useMemo<Session>(
    () => ({
      ...state,
      login: async credentials => {
        const { token, user } = await client.accounts.login.mutate(credentials)
        await start(token, user)
        return user
      },
      loginAsAdmin: async credentials => {
        const { token, user } = await client.accounts.login.mutate(credentials)
        if (user.role === 'admin') {
          await start(token, user)
          return user
        }
        storeToken(token)
        await client.accounts.logout.mutate().catch(() => undefined)
        end()
        return undefined
      },
      logout: async (reason = 'logout') => {
        if (readToken()) await client.accounts.logout.mutate().catch(() => undefined)
        end(reason)
        void import('../ui/toasts.tsx').then(({ sessionToast }) => {
          if (reason === 'logout') sessionToast.success('Logged out successfully')
          if (reason === 'idle') sessionToast.error(idleMessage)
        })
      },
      verify,
      setUser,
    }),
    [state, client, start, end, verify, setUser],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}

/** Another tab signed out: all tabs run on the same clock, so each can tell whether it was the idle limit. */
function endedElsewhere(): EndReason {
  return idleForMs() >= idleMs - 2_000 ? 'idle' : 'logout'
}

/** Tells the session that the server answered 401 to a call that carried a token. */
export type ExpirySignal = { listen: (listener: () => void) => () => void; raise: () => void }

export function createExpirySignal(): ExpirySignal {
  const listeners = new Set<() => void>()
  return {
    listen: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    raise: () => {
      for (const listener of listeners) listener()
    },
  }
}

/** Whether a failed call says that the session is over, for screens that have a prompt of their own. */
export function isSessionGone(error: unknown): boolean {
  const failure = failureOf(error)
  return failure.kind === 'refused' && failure.status === 401
}
