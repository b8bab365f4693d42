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
import { flushSync } from 'react-dom'
import { api, failureOf, type Outputs } from '../api/api.ts'
import {
  heldToken,
  holdStoredToken,
  isForeignToken,
  readToken,
  removeToken,
  storeToken,
  watchToken,
} from '../api/token.ts'
import { idleForMs, idleMs, markActivity } from './activity.ts'
import { isPublicQuery } from './public-queries.ts'

export type User = Outputs['accounts']['verify']['user']
/** Why nobody is signed in any more, for the login screen to say. */
export type EndReason = 'logout' | 'idle' | 'expired'
export type SessionState =
  | { status: 'loading' }
  | { status: 'anonymous'; ended?: EndReason; endedRole?: User['role'] }
  | { status: 'authenticated'; user: User }

export const idleMessage = 'You were signed out after 20 minutes of inactivity.'
export const expiredMessage = 'Your session has ended. Please log in again.'
/** Between the stored token and the set user. */
const settleMs = 100

/** What the server says of the session; 'replaced' when another one has taken its place before there was an answer. */
type SessionAnswer = 'alive' | 'gone' | 'unknown' | 'replaced'

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

type ProviderProps = {
  children: ReactNode
  onExpired: ExpirySignal
  /** Drops the answers that are remembered outside of the query cache, also those on their way. */
  forgetAnswers: () => void
}

export function SessionProvider({ children, onExpired, forgetAnswers }: ProviderProps) {
  const [state, setState] = useState<SessionState>(() => ({ status: heldToken() ? 'loading' : 'anonymous' }))
  const { client } = api.useUtils()
  const queries = useQueryClient()
  const current = useRef(state)
  current.current = state
  // A page that is being left drops its calls: that says nothing about the session, and the next page has it too.
  const isLeft = useRef(false)

  const forget = useCallback(() => {
    forgetAnswers()
    queries.removeQueries({ predicate: query => !isPublicQuery(query.queryKey) })
    queries.getMutationCache().clear()
  }, [queries, forgetAnswers])

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
      forget()
    },
    [forget],
  )

  const start = useCallback(
    async (token: string, user: User) => {
      markActivity()
      forget()
      storeToken(token)
      await new Promise(resolve => setTimeout(resolve, settleMs))
      if (heldToken() === token) setState({ status: 'authenticated', user })
    },
    [forget],
  )

  const ask = useCallback(async (): Promise<SessionAnswer> => {
    const token = heldToken()
    try {
      const { user } = await client.accounts.verify.query()
      if (heldToken() !== token) return 'replaced'
      // What is still being loaded for the new state comes first; until then the screen stays as it is.
      startTransition(() => setState({ status: 'authenticated', user }))
      return 'alive'
    } catch (error) {
      if (heldToken() !== token) return 'replaced'
      return isSessionGone(error) ? 'gone' : 'unknown'
    }
  }, [client])

  const load = useCallback(async () => {
    const answer = await ask()
    if ((answer === 'gone' || answer === 'unknown') && !isLeft.current) startTransition(() => end())
  }, [ask, end])

  /** Another tab signed in or out: everything of whoever was here is forgotten before anybody is asked who is now. */
  const follow = useCallback(() => {
    const before = current.current
    if (readToken() === null)
      return flushSync(() => end(before.status === 'authenticated' ? endedElsewhere() : undefined))
    holdStoredToken()
    if (before.status === 'authenticated') {
      flushSync(() => setState({ status: 'loading' }))
      void import('../ui/toasts.tsx').then(({ toast }) => toast.clear())
    }
    forget()
    void load().then(() => {
      const now = current.current
      const isAnother = now.status === 'authenticated' && before.status === 'authenticated'
      if (isAnother && now.user.id !== before.user.id) sessionStorage.clear()
    })
  }, [end, forget, load])

  const verify = useCallback(async () => {
    const answer = await ask()
    return answer === 'alive' || answer === 'replaced'
  }, [ask])

  useEffect(() => {
    const leave = () => {
      isLeft.current = true
    }
    const comeBack = async ({ persisted }: PageTransitionEvent) => {
      isLeft.current = false
      if (!persisted) return
      if (isForeignToken()) return follow()
      if (!heldToken()) return
      if (current.current.status !== 'authenticated') return load()
      // Without an answer the page stays: it is still that of whoever was here.
      if ((await ask()) === 'gone') end('expired')
    }
    window.addEventListener('pagehide', leave)
    window.addEventListener('pageshow', comeBack)
    if (heldToken()) void load()
    const unwatch = watchToken(follow)
    return () => {
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('pageshow', comeBack)
      unwatch()
    }
  }, [ask, load, follow, end])

  useEffect(
    () => onExpired.listen(() => (isForeignToken() ? follow() : end('expired'))),
    [onExpired, end, follow],
  )

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
        if (readToken() !== null && isForeignToken()) return follow()
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
    [state, client, start, end, verify, follow, setUser],
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
