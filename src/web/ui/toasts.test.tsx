import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import { sessionToast, toast, toastStore } from './toast.ts'
import { ToastRegion } from './toasts.tsx'

const markup = () => renderToStaticMarkup(<ToastRegion />)
const isShown = (id: string) => toastStore.read().some(shown => shown.id === id)

beforeEach(() => {
  vi.useFakeTimers()
  toast.clear()
  return () => vi.useRealTimers()
})

const times = [
  ['info', () => toast.info('Nothing to save'), 4000],
  ['success', () => toast.success('Rate saved'), 3000],
  ['error', () => toast.error('Failed to save rate'), 5000],
  ['success of the session layer', () => sessionToast.success('Welcome back!'), 2000],
  ['error of the session layer', () => sessionToast.error('Login failed'), 4000],
] as const

test.each(times)('shows a toast, %s, for its time [TOAST-02, TOAST-03]', (_kind, show, durationMs) => {
  const id = show()
  vi.advanceTimersByTime(durationMs - 1)
  expect(isShown(id)).toBe(true)
  vi.advanceTimersByTime(1)
  expect(isShown(id)).toBe(false)
})

test('shows a loading toast until it is dismissed [TOAST-05]', () => {
  const id = toast.loading('Uploading...')
  vi.advanceTimersByTime(3_600_000)
  expect(isShown(id)).toBe(true)
  toast.dismiss(id)
  expect(isShown(id)).toBe(false)
})

test('keeps at most 20 toasts, and renders only the newest three [TOAST-01, LOOK-10]', () => {
  for (let n = 1; n <= 25; n++) toast.success(`Toast ${n}`)
  const titles = toastStore.read().map(({ title }) => title)
  expect([titles.length, titles[0], titles.includes('Toast 5')]).toEqual([20, 'Toast 25', false])
  expect(markup().match(/Toast \d+/g)).toEqual(['Toast 25', 'Toast 24', 'Toast 23'])
})

test.each([
  ['success', 3000],
  ['error', 5000],
] as const)('replaces a loading toast with its %s, which has its own time [TOAST-05, LOOK-11]', (end, ms) => {
  const id = toast.loading('Uploading...')
  toast[end]('Done', undefined, id)
  expect(toastStore.read()).toMatchObject([{ id, title: 'Done' }])
  vi.advanceTimersByTime(ms)
  expect(isShown(id)).toBe(false)
})

test("shows the action's fixed text with the server's message, unless it only repeats the text", () => {
  toast.error('Failed to update application', 'These dates are no longer available.')
  toast.error('Rate not found', 'Rate not found')
  expect(markup()).toMatch(
    /<strong[^>]*>Failed to update application<\/strong> These dates are no longer available\./,
  )
  expect(markup().match(/Rate not found/g)).toHaveLength(1)
})
