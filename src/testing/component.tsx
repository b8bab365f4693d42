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

type Handler = (send: () => Promise<Response>, input: unknown) => Promise<Response> | Response
const handlers = new Map<string, Handler>()
const nodeFetch = globalThis.fetch

type Options = Parameters<typeof testApp>[0]
type Started = TestApp & { address?: string }

/** The real app, shared by the tests of a file; the browser's calls reach it over HTTP. */
export function appOfFile<Made extends Started = TestApp>(
  options?: Options,
  start: (options: Options) => Promise<Started> = testApp,
): { readonly app: Made } {
  const shared: { app?: Started } = {}
  let close = async () => {}
  beforeAll(async () => {
    shared.app = await start({ ...options, env: { RATE_LIMITS: 'off', ...options?.env } })
    close = takeCleanups()
    const origin = shared.app.address ?? (await shared.app.listen())
    ;(globalThis as unknown as Window).happyDOM?.setURL(`${origin}/`)
    globalThis.fetch = (address, init) => {
      const url = new URL(String(address), origin)
      const called = url.pathname.replace('/trpc/', '').split(',')
      const at = called.findIndex(name => handlers.has(name))
      const handler = handlers.get(called[at] ?? '')
      const send = () => nodeFetch(url, init)
      if (!handler) return send()
      const input = typeof init?.body === 'string' ? JSON.parse(init.body)[at] : undefined
      return called.length > 1 ? answerInBatch(handler, at, send) : Promise.resolve(handler(send, input))
    }
  })
  afterAll(async () => {
    globalThis.fetch = nodeFetch
    // Requests that a closed screen no longer waits for would hold up the end.
    ;(await shared.app?.fastify())?.server.closeAllConnections()
    await close()
  })
  return shared as { app: Made }
}

/** The answers of a batch, of which the handler answers one. */
async function answerInBatch(handler: Handler, at: number, send: () => Promise<Response>) {
  const response = await send()
  const answers: unknown[] = await response.json()
  const handled = await handler(async () => Response.json([answers[at]]), undefined)
  return Response.json(answers.with(at, (await handled.json())[0]), { status: 207 })
}

/** Handles the browser's calls of a procedure; `send` asks the server. */
export function onCall(procedure: string, handler: Handler): void {
  handlers.set(procedure, handler)
}

/** Records the input of each call of a mutation from now on. */
export function recordInputs(procedure: string): unknown[] {
  const inputs: unknown[] = []
  onCall(procedure, (send, input) => {
    inputs.push(input)
    return send()
  })
  return inputs
}

/** Changes the server's answer to a procedure, to show states that are hard to reach. */
export function changeAnswer(procedure: string, change: (data: Record<string, unknown>) => void): void {
  onCall(procedure, async send => {
    const answers = await (await send()).json()
    for (const { result } of answers) if (result) change(result.data)
    return Response.json(answers)
  })
}

/** A refusal that the server itself would not send, such as one without a message. */
export function refusal(error: { status?: number; message?: unknown; fields?: Record<string, string> }) {
  const { status: httpStatus = 400, message, fields } = error
  const body = { error: { code: -32600, message, data: { code: 'BAD_REQUEST', httpStatus, fields } } }
  return Response.json([body], { status: httpStatus })
}

/**
 * Opens a screen in the whole app in place of the one before, as a new document does, signed in as this actor, at the app's time. Returns the
 * person at the keyboard, and the session's token.
 */
export async function openScreen(app: TestApp, path: string, actor?: SignedIn) {
  if (!vi.isFakeTimers()) vi.setSystemTime(app.deps.clock.now())
  const token = actor && (await tokenOf(app, actor))
  if (token) localStorage.setItem('token', token)
  markActivity()
  adoptStoredToken()
  window.history.replaceState(null, '', path)
  cleanup()
  toast.clear()
  clearResponseCache()
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
