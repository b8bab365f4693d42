import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { isTokenOutdated, tabToken, watchToken } from '../api/token.ts'
import { abortUserCalls } from '../api/user-fetch.ts'
import { SessionContext, type SessionState } from './session.tsx'
import { createSessionController } from './session-controller.ts'

type ProviderProps = {
  children: ReactNode
  expirySignal: ExpirySignal
  isUnknown: boolean
}

/** How often an unreachable server is asked again. */
const retryMs = 5_000

export function SessionProvider({ children, expirySignal, isUnknown }: ProviderProps) {
  const [state, setState] = useState<SessionState>(() => ({
    status: isUnknown || tabToken() ? 'loading' : 'anonymous',
  }))
  const rendered = useRef(state)
  rendered.current = state
  const queries = useQueryClient()

  const controller = useMemo(() => {
    const clearUserData = () => {
      abortUserCalls()
      queries.removeQueries({ predicate: query => !isPublicQuery(query.queryKey) })
      queries.getMutationCache().clear()
    }
    return createSessionController({ rendered, setState, clearUserData })
  }, [queries])

  useEffect(() => {
    const { load, onPageHide, onPageShow, followOtherTab } = controller
    window.addEventListener('pagehide', onPageHide)
    window.addEventListener('pageshow', onPageShow)
    if (tabToken()) void load()
    const unwatch = watchToken(followOtherTab)
    return () => {
      window.removeEventListener('pagehide', onPageHide)
      window.removeEventListener('pageshow', onPageShow)
      unwatch()
    }
  }, [controller])

  const isUnreachable = state.status === 'loading' && state.isUnreachable === true
  useEffect(() => {
    if (!isUnreachable) return
    const { load } = controller
    const timer = setInterval(load, retryMs)
    window.addEventListener('online', load)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', load)
    }
  }, [isUnreachable, controller])

  useEffect(() => {
    const { followOtherTab, end } = controller
    return expirySignal.listen(() => {
      if (isTokenOutdated()) followOtherTab()
      // While the session is being checked, the result of that check decides.
      else if (rendered.current.status !== 'loading') end('expired')
    })
  }, [expirySignal, controller])

  const session = useMemo(() => ({ ...state, ...controller.actions }), [state, controller])
  return <SessionContext value={session}>{children}</SessionContext>
}

/** Signals that the server responded with 401 to a call that had a token. */
type ExpirySignal = { listen: (listener: () => void) => () => void; raise: () => void }

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

/** Whether a query's response is the same for all users, so that its cache entry survives a logout. */
function isPublicQuery(key: readonly unknown[]): boolean {
  const [path] = key
  return Array.isArray(path) && publicQueries.includes(path.join('.'))
}

const publicQueries = [
  'site.get',
  'site.content',
  'rates.list',
  'bookings.rules',
  'availability.range',
  'contact.ready',
]
