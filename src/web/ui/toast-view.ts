import type { ComponentType } from 'react'

export type ToastAction = { label: string; run: () => void }

export type ToastCall = {
  id: string
  kind: 'success' | 'error' | 'info' | 'loading'
  title: string
  detail?: string | undefined
  /** Overrides the default duration of its kind. */
  durationMs?: number
  action?: ToastAction
}

/** The code that shows toasts; it is loaded with the first toast. */
export type ToastView = {
  show: (call: ToastCall) => void
  dismiss: (id: string) => void
  clear: () => void
  List: ComponentType
}

export const toastClass =
  'flex max-w-104 animate-fade items-center rounded-control border border-line bg-white px-3.5 py-2 text-base leading-snug wrap-anywhere text-ink shadow-overlay'

export const toastListClass =
  'pointer-events-none fixed top-19 right-3 z-9999 grid max-w-[calc(100vw-1.5rem)] justify-items-end gap-2.5 print:hidden'
