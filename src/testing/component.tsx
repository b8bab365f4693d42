import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Window } from 'happy-dom'
import { afterAll, beforeAll, vi } from 'vitest'
import type { SignedIn } from '../domain/accounts/access.ts'
import { clearResponseCache } from '../web/api/response-cache-events.ts'
import { adoptStoredToken } from '../web/api/token.ts'
import { App } from '../web/app/app.tsx'
import { markActivity } from '../web/session/activity.ts'
import { toast } from '../web/ui/toast.ts'
import { tokenOf } from './build-lease.ts'
import { afterThisTest, takeCleanups } from './cleanups.ts'
import { type TestApp, testApp } from './test-app.ts'

// There are no styles, so nothing is hidden by them.
configure({ asyncUtilTimeout: 8_000, defaultHidden: true })

type Handler = (send: () => Promise<Response>) => Promise<Response> | Response
const handlers = new Map<string, Handler>()
const nodeFetch = globalThis.fetch

/** The real app, shared by the tests of a file; the browser's calls reach it over HTTP. */
export function appOfFile(options?: Parameters<typeof testApp>[0]): { readonly app: TestApp } {
  const shared: { app?: TestApp } = {}
  let close = async () => {}
  beforeAll(async () => {
    shared.app = await testApp({ ...options, env: { RATE_LIMITS: 'off', ...options?.env } })
    close = takeCleanups()
    const origin = await shared.app.listen()
    ;(globalThis as unknown as Window).happyDOM?.setURL(`${origin}/`)
    globalThis.fetch = (address, init) => {
      const url = new URL(String(address), origin)
      const called = url.pathname.replace('/trpc/', '').split(',')
      const handler = called.map(name => handlers.get(name)).find(found => found !== undefined)
      const send = () => nodeFetch(url, init)
      return handler ? Promise.resolve(handler(send)) : send()
    }
  })
  afterAll(async () => {
    globalThis.fetch = nodeFetch
    await close()
  })
  return shared as { app: TestApp }
}

/** Handles the browser's calls of a procedure; `send` asks the server. */
export function onCall(procedure: string, handler: Handler): void {
  handlers.set(procedure, handler)
}

/** A refusal that the server itself would not send, such as one without a message. */
export function refusal(error: { status?: number; message?: unknown; fields?: Record<string, string> }) {
  const { status: httpStatus = 400, message, fields } = error
  const body = { error: { code: -32600, message, data: { code: 'BAD_REQUEST', httpStatus, fields } } }
  return Response.json([body], { status: httpStatus })
}

/**
 * Opens a screen in the whole app, as a new document does, signed in as this actor, at the app's time. Returns the
 * person at the keyboard, and the session's token.
 */
export async function openScreen(app: TestApp, path: string, actor?: SignedIn) {
  if (!vi.isFakeTimers()) vi.setSystemTime(app.deps.clock.now())
  const token = actor && (await tokenOf(app, actor))
  if (token) localStorage.setItem('token', token)
  markActivity()
  adoptStoredToken()
  window.history.replaceState(null, '', path)
  const { unmount } = render(<App />)
  afterThisTest(() => {
    unmount()
    cleanup()
    vi.useRealTimers()
    handlers.clear()
    toast.clear()
    clearResponseCache()
    sessionStorage.clear()
    localStorage.clear()
  })
  const user = userEvent.setup({ delay: null })
  return { user, token }
}

/** Puts text into the fields with these labels, in one step each. */
export function fill(fields: Record<string, string>, inside: Pick<typeof screen, 'getByLabelText'> = screen) {
  for (const [label, value] of Object.entries(fields))
    fireEvent.input(inside.getByLabelText(new RegExp(`^${label}`)), { target: { value } })
}

export const button = (name: string) => screen.getByRole('button', { name })
