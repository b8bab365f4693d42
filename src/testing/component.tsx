import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Window } from 'happy-dom'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { SignedIn } from '../domain/accounts/access.ts'
import { rootRouter } from '../server/root-router.ts'
import { adoptStoredToken } from '../web/api/token.ts'
import { abortUserCalls } from '../web/api/user-fetch.ts'
import { App } from '../web/app/app.tsx'
import { markActivity } from '../web/session/activity.ts'
import { toast } from '../web/ui/toast.ts'
import { tokenOf } from './build-lease.ts'
import { afterThisTest, takeCleanups } from './cleanups.ts'
import { type TestApp, testApp } from './test-app.ts'

configure({
  asyncUtilTimeout: 8_000,
  // There are no styles, so nothing is hidden by them.
  defaultHidden: true,
  getElementError: message =>
    new Error(`${message}\n\n${window.location.pathname} says: ${document.body.textContent}`),
})

type Handler = (send: () => Promise<Response>, input: object) => Promise<Response> | Response
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
    globalThis.fetch = (address, init) => throughHandlers(new URL(String(address), origin), init)
  })
  afterAll(async () => {
    globalThis.fetch = nodeFetch
    // Requests that a closed screen no longer waits for would hold up the end.
    ;(await shared.app?.fastify())?.server.closeAllConnections()
    await close()
  })
  return shared as { app: Made }
}

async function throughHandlers(url: URL, init: RequestInit | undefined): Promise<Response> {
  const called = url.pathname.replace('/trpc/', '').split(',')
  const send = () => nodeFetch(url, init)
  if (!called.some(name => handlers.has(name))) return send()
  const body = typeof init?.body === 'string' ? init.body : url.searchParams.get('input')
  const inputs: Record<number, object> = JSON.parse(body || '{}')
  const handle = (at: number, sendOne: typeof send) =>
    handlers.get(called[at] ?? '')?.(sendOne, inputs[at] ?? {}) ?? sendOne()
  if (called.length === 1) return handle(0, send)
  const answers: unknown[] = await (await send()).json()
  const handled = answers.map(async (answer, at) => handle(at, async () => Response.json([answer])))
  const json = handled.map(async response => (await (await response).json())[0])
  return Response.json(await Promise.all(json), { status: 207 })
}

/** Handles the browser's calls of a procedure or a file's path; `send` asks the server. @throws for no procedure */
export function onCall(procedure: string, handler: Handler): void {
  if (!procedure.startsWith('/') && !Object.hasOwn(rootRouter._def.procedures, procedure))
    throw new Error(`no procedure ${procedure}`)
  handlers.set(procedure, handler)
}

/** Records the input of each call of a procedure from now on. */
export function recordInputs(procedure: string): object[] {
  const inputs: object[] = []
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

/** The browser gets no response. */
export const noAnswer = () => Promise.reject(new TypeError('Failed to fetch'))

/**
 * Opens a screen in the whole app in place of the one before, as a new document does, signed in as this actor, at the
 * app's time. Returns the person at the keyboard, and the session's token.
 */
export async function openScreen(app: TestApp, path: string, actor?: SignedIn) {
  vi.setSystemTime(app.deps.clock.now())
  const token = actor && (await tokenOf(app, actor))
  if (token) localStorage.setItem('token', token)
  markActivity()
  adoptStoredToken()
  window.history.replaceState(null, '', path)
  const close = () => {
    cleanup()
    toast.clear()
    abortUserCalls()
  }
  close()
  render(<App />)
  afterThisTest(() => {
    close()
    // The API client would wait forever for the end of a batch begun with fake timers.
    if (vi.isFakeTimers()) vi.advanceTimersByTime(1)
    vi.useRealTimers()
    handlers.clear()
    sessionStorage.clear()
    localStorage.clear()
  })
  const user = userEvent.setup({ delay: null })
  return { user, token }
}

/** Puts text into the fields with these labels, or chooses their option with this value, in one step each. */
export function fill(fields: Record<string, string>, inside: Pick<typeof screen, 'getByLabelText'> = screen) {
  for (const [label, value] of Object.entries(fields)) {
    const field = inside.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`))
    const send = field.matches('select') ? fireEvent.change : fireEvent.input
    send(field, { target: { value } })
    if (field.value !== value) throw new Error(`${label} cannot be ${value}: ${field.outerHTML}`)
  }
}

export const button = (name: string) => screen.getByRole('button', { name })

/** Presses a button once it is there. */
export async function press(name: string, inside: Pick<typeof screen, 'findByRole'> = screen) {
  await userEvent.click(await inside.findByRole('button', { name }))
}

/** Waits until the screen or a toast says this. */
export const says = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text))

/** Waits until this is the address. */
export const isAt = (path: string) =>
  waitFor(() => expect(window.location.pathname + window.location.search).toBe(path))
