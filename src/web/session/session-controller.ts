import { startTransition } from 'react'
import { flushSync } from 'react-dom'
import { loadApiClient } from '../api/load-client.ts'
import {
  adoptStoredToken,
  isTokenOutdated,
  removeToken,
  storedToken,
  storeToken,
  tabToken,
} from '../api/token.ts'
import { sessionToast, toast } from '../ui/toast.ts'
import { idleLimitMs, markActivity, msSinceActivity } from './activity.ts'
import {
  type EndReason,
  idleMessage,
  isSessionExpired,
  type SessionActions,
  type SessionState,
  type User,
} from './session.tsx'

type Deps = {
  /** The most recently rendered state. */
  rendered: { readonly current: SessionState }
  setState: (state: SessionState) => void
  /** Removes all data that was loaded for the signed-in user. */
  clearUserData: () => void
}
type State = ReturnType<typeof createState>
type Sync = ReturnType<typeof createSync>

/** The pause between storing the token and setting the user (GUARD-20). */
const signInDelayMs = 100
/** Tabs check once a second, so another tab may end the session slightly before this one's limit. */
const idleToleranceMs = 2_000

/** All operations on a session. The functions keep their identity for the lifetime of the app. */
export function createSessionController(deps: Deps) {
  const state = createState(deps)
  const sync = createSync(deps, state)
  return { ...sync, end: state.end, actions: createActions(deps, state, sync) }
}

function createState({ rendered, setState, clearUserData }: Deps) {
  return {
    begin: async (token: string, user: User) => {
      markActivity()
      clearUserData()
      storeToken(token)
      await new Promise(resolve => setTimeout(resolve, signInDelayMs))
      if (tabToken() === token) setState({ status: 'authenticated', user })
    },
    end: (reason?: EndReason) => {
      const before = rendered.current
      removeToken()
      // Half-filled forms survive an expired session, but not a logout, because the computer may be shared.
      if (reason === 'logout') {
        sessionStorage.clear()
        // What this person was typing in messages.
        if (before.status === 'authenticated') localStorage.removeItem(`drafts ${before.user.id}`)
      }
      setState({
        status: 'anonymous',
        ...(reason && { ended: reason }),
        ...(before.status === 'authenticated' && { endedUser: before.user }),
      })
      clearUserData()
    },
  }
}

type SessionCheck = 'valid' | 'expired' | 'unknown' | 'replaced' | 'unloaded'

/**
 * 'replaced' if another session was started before the response came, 'unloaded' if the API client could not be loaded.
 */
async function checkSession(accept: (user: User) => void): Promise<SessionCheck> {
  const token = tabToken()
  const client = await loadApiClient().catch(() => undefined)
  if (!client) return tabToken() === token ? 'unloaded' : 'replaced'
  try {
    const { user } = await client.accounts.verify.query()
    if (tabToken() !== token) return 'replaced'
    accept(user)
    return 'valid'
  } catch (error) {
    if (tabToken() !== token) return 'replaced'
    return isSessionExpired(error) ? 'expired' : 'unknown'
  }
}

/** Keeps the session in sync with the server and with other tabs. */
function createSync({ rendered, setState, clearUserData }: Deps, { end }: State) {
  /** The user before another tab signed in; this tab may hold their half-filled forms. */
  let former: User | undefined
  const accept = (user: User) => {
    if (former && former.id !== user.id) sessionStorage.clear()
    former = undefined
    // In a transition, so that the screen stays until everything for the new state is loaded.
    startTransition(() => setState({ status: 'authenticated', user }))
  }
  const verify = async () => ['valid', 'replaced'].includes(await checkSession(accept))

  // When a page is left the browser cancels its requests; their failure says nothing about the session.
  let isPageHidden = false
  const load = async () => {
    const found = await checkSession(accept)
    if (found === 'valid' || found === 'replaced' || isPageHidden) return
    if (found === 'expired') startTransition(() => end())
    else if (rendered.current.status === 'loading') setState({ status: 'loading', isUnreachable: true })
  }

  /** Another tab has signed in or out: clears the former user's data before it loads the current user. */
  const followOtherTab = () => {
    const before = rendered.current
    const wasSignedIn = before.status === 'authenticated'
    if (storedToken() === null) return flushSync(() => end(wasSignedIn ? reasonElsewhere() : undefined))
    adoptStoredToken()
    if (wasSignedIn) {
      former = before.user
      flushSync(() => setState({ status: 'loading' }))
      toast.clear()
    }
    clearUserData()
    void load()
  }

  const onPageHide = () => {
    isPageHidden = true
  }

  /** `persisted`: the browser restores the page from its back/forward cache. */
  const onPageShow = async ({ persisted }: { persisted: boolean }) => {
    isPageHidden = false
    if (!persisted) return
    if (isTokenOutdated()) return followOtherTab()
    if (!tabToken()) return
    if (rendered.current.status !== 'authenticated') return load()
    // Without a response the page stays, because it still belongs to the same user.
    if ((await checkSession(accept)) === 'expired') end('expired')
  }

  const retry = () => {
    setState({ status: 'loading' })
    void load()
  }

  return { verify, load, retry, followOtherTab, onPageHide, onPageShow }
}

/** Ends the session on the server; failures are ignored. */
const logout = () =>
  loadApiClient()
    .then(client => client.accounts.logout.mutate())
    .catch(() => undefined)

function createActions(
  { setState }: Deps,
  { begin, end }: State,
  { verify, retry, followOtherTab }: Sync,
): SessionActions {
  return {
    begin,
    beginAsAdmin: async ({ token, user }) => {
      if (user.role === 'admin') {
        await begin(token, user)
        return true
      }
      storeToken(token)
      await logout()
      end()
      return false
    },
    logout: async (reason = 'logout') => {
      if (storedToken() !== null && isTokenOutdated()) return followOtherTab()
      if (storedToken()) await logout()
      end(reason)
      if (reason === 'logout') sessionToast.success('Logged out successfully')
      if (reason === 'idle') sessionToast.error(idleMessage)
    },
    verify,
    retry,
    setUser: user => setState({ status: 'authenticated', user }),
  }
}

/**
 * Why another tab signed out. All tabs share the activity time, so each tab can determine whether it was the idle
 * limit.
 */
function reasonElsewhere(): EndReason {
  return msSinceActivity() >= idleLimitMs - idleToleranceMs ? 'idle' : 'logout'
}
