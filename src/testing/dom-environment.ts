import { Window } from 'happy-dom'
import type { Environment } from 'vitest/runtime'

/** What Node has as well, but without a document's behavior. */
const replaced =
  'Event EventTarget CustomEvent MessageEvent File Blob FormData navigator localStorage sessionStorage'.split(
    ' ',
  )

/**
 * For component tests: a document beside Node's own timers, fetch and streams, which the server in the same process
 * needs. A worker keeps one window for all files, because imported modules hold on to it.
 */
export default {
  name: 'dom',
  viteEnvironment: 'ssr',
  setup(global) {
    if (!('document' in global)) install(global, new Window({ width: 1280, height: 900 }))
    return { teardown: () => undefined }
  },
} satisfies Environment

function install(global: object, window: Window): void {
  const names = [window, Object.getPrototypeOf(Object.getPrototypeOf(window))].flatMap(
    Object.getOwnPropertyNames,
  )
  for (const name of names) {
    if (name in global && !replaced.includes(name)) continue
    const value = window[name as keyof Window]
    Object.defineProperty(global, name, { value, writable: true, configurable: true })
  }
  Object.assign(global, { window: global, self: global, happyDOM: window.happyDOM })
  // There are no styles, and computing them takes most of the time of a search by role and name.
  const noStyle = { getPropertyValue: () => '' }
  Object.assign(global, { getComputedStyle: () => noStyle })
  Object.defineProperty(window, 'getComputedStyle', { value: () => noStyle, configurable: true })
  // Nothing is laid out: every element counts as near the viewport.
  Object.assign(global, { IntersectionObserver: SeesEverything })
  // react-hook-form reads it, and happy-dom lacks it.
  Object.defineProperty(window.HTMLSelectElement.prototype, 'size', { value: 0 })
  // Menus are popovers, which happy-dom lacks: they are always open.
  Object.assign(window.HTMLElement.prototype, { showPopover: () => undefined, hidePopover: () => undefined })
}

class SeesEverything {
  readonly #report: (entries: { target: unknown; isIntersecting: boolean }[]) => void
  constructor(report: (entries: { target: unknown; isIntersecting: boolean }[]) => void) {
    this.#report = report
  }
  observe(target: unknown): void {
    queueMicrotask(() => this.#report([{ target, isIntersecting: true }]))
  }
  unobserve(): void {}
  disconnect(): void {}
}
