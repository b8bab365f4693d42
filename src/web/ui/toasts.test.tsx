import { renderToStaticMarkup } from 'react-dom/server'
import { toast as hotToast, type Toast, useToasterStore } from 'react-hot-toast'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { loadToasts, sessionToast, toast } from './toast.ts'
import { ToastRegion } from './toast-region.tsx'
import { toastOptions } from './toasts.tsx'

let seen: Toast[] = []
function Probe() {
  seen = useToasterStore(toastOptions).toasts
  return null
}

/** The toasts as the mounted toaster sees them, with its options applied. */
function shownToasts(): Toast[] {
  renderToStaticMarkup(<Probe />)
  return seen
}

const durationOf = (id: string) => shownToasts().find(shown => shown.id === id)?.duration

beforeAll(loadToasts)
beforeEach(() => hotToast.removeAll())

test('shows a toast for 4 s, a success for 3 s, an error for 5 s [TOAST-02]', () => {
  expect(durationOf(toast.info('Nothing to save'))).toBe(4000)
  expect(durationOf(toast.success('Rate saved'))).toBe(3000)
  expect(durationOf(toast.error('Failed to save rate'))).toBe(5000)
})

test('shows toasts of the session layer for 2 s and 4 s [TOAST-03]', () => {
  expect(durationOf(sessionToast.success('Welcome back!'))).toBe(2000)
  expect(durationOf(sessionToast.error('Login failed'))).toBe(4000)
})

test('shows a loading toast until it is dismissed [TOAST-05]', () => {
  const id = toast.loading('Uploading...')
  expect(durationOf(id)).toBe(Number.POSITIVE_INFINITY)
  expect(shownToasts().find(shown => shown.id === id)).toMatchObject({ visible: true, dismissed: false })
  toast.dismiss(id)
  expect(shownToasts().find(shown => shown.id === id)?.dismissed ?? true).toBe(true)
})

test('keeps at most 20 toasts, the newest first [TOAST-01]', () => {
  for (let n = 1; n <= 25; n++) toast.success(`Toast ${n}`)
  const messages = shownToasts().map(shown => shown.message)
  expect(messages).toHaveLength(20)
  expect(messages[0]).toBe('Toast 25')
  expect(messages).not.toContain('Toast 5')
})

test('renders only three of them, the newest first [LOOK-10]', () => {
  for (let n = 1; n <= 5; n++) toast.success(`Toast ${n}`)
  expect(renderToStaticMarkup(<ToastRegion />).match(/Toast \d/g)).toEqual(['Toast 5', 'Toast 4', 'Toast 3'])
})

test('replaces a loading toast with its outcome, which disappears like any other toast [TOAST-05, LOOK-11]', () => {
  for (const [end, duration] of [
    [toast.success, 3000],
    [toast.error, 5000],
  ] as const) {
    const id = toast.loading('Uploading...')
    end('Done', undefined, id)
    expect(shownToasts().map(shown => [shown.id, shown.message])).toEqual([[id, 'Done']])
    expect(durationOf(id)).toBe(duration)
    hotToast.removeAll()
  }
})

test("shows the action's fixed text with the server's message below it", () => {
  toast.error('Failed to update application', 'These dates are no longer available.')
  const html = renderToStaticMarkup(<ToastRegion />)
  expect(html).toMatch(
    /<strong[^>]*>Failed to update application<\/strong>These dates are no longer available\./,
  )
  expect(html).toContain('aria-live="polite"')
})

test('omits a message that only repeats the fixed text', () => {
  toast.error('Rate not found', 'Rate not found')
  expect(renderToStaticMarkup(<ToastRegion />).match(/Rate not found/g)).toHaveLength(1)
})

test('shows queued toasts in order when the view has loaded, except those dismissed by then [TOAST-01]', async () => {
  vi.resetModules()
  const fresh = await import('./toast.ts')
  const { ToastRegion: Region } = await import('./toast-region.tsx')
  expect(renderToStaticMarkup(<Region />)).toBe(
    '<section aria-label="Notifications" aria-live="polite"></section>',
  )
  fresh.toast.success('First')
  const loading = fresh.toast.loading('Uploading...')
  fresh.toast.dismiss(fresh.toast.info('Dismissed'))
  fresh.toast.error('Failed', undefined, loading)
  await fresh.loadToasts()
  fresh.toast.success('Last')
  const html = renderToStaticMarkup(<Region />)
  expect(html.match(/First|Uploading|Dismissed|Failed|Last/g)).toEqual(['Last', 'Failed', 'First'])
})

test('shows toasts as plain text if the view cannot be loaded [TOAST-02]', async () => {
  vi.useFakeTimers()
  vi.resetModules()
  vi.doMock('./toasts.tsx', () => {
    throw new Error('no answer')
  })
  const fresh = await import('./toast.ts')
  const { ToastRegion: Region } = await import('./toast-region.tsx')
  fresh.toast.error('Failed to save rate', 'The dates overlap.')
  await fresh.loadToasts()
  expect(renderToStaticMarkup(<Region />)).toContain('Failed to save rate: The dates overlap.')
  vi.advanceTimersByTime(5000)
  expect(renderToStaticMarkup(<Region />)).not.toContain('Failed to save rate')
  vi.doUnmock('./toasts.tsx')
  vi.useRealTimers()
})
