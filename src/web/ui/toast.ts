import type { ToastAction, ToastCall, ToastView } from './toast-view.ts'

/** The view once it is loaded, and the toasts that are shown as plain text because the view could not be loaded. */
type State = { view: ToastView | undefined; plain: readonly ToastCall[] }

/** For toasts about login, registration, logout, profile, password and user refresh. */
const sessionMs = { success: 2000, error: 4000 }
/** A toast with a button stays longer. */
const actionMs = 20_000
/** For a toast that is shown without the view. */
const plainMs = 5000

let state: State = { view: undefined, plain: [] }
let waiting: readonly ToastCall[] = []
let loading: Promise<void> | undefined
let count = 0
const listeners = new Set<() => void>()

/** Preloads the toast view, so that the first toast appears immediately. Resolves even if loading fails. */
export function loadToasts(): Promise<void> {
  loading ??= import('./toasts.tsx').then(
    ({ toastView }) => {
      for (const call of waiting) toastView.show(call)
      waiting = []
      setState({ view: toastView, plain: [] })
    },
    () => {
      loading = undefined
      for (const call of waiting) removeLater(call)
      setState({ view: undefined, plain: waiting })
    },
  )
  return loading
}

/** The store for `useSyncExternalStore`. */
export const toastState = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: () => state,
}

function setState(next: State): void {
  state = next
  for (const listener of listeners) listener()
}

function setWaiting(calls: readonly ToastCall[]): void {
  waiting = calls
  if (state.plain.length > 0) setState({ ...state, plain: calls.filter(call => state.plain.includes(call)) })
}

function removeLater(call: ToastCall): void {
  if (call.kind !== 'loading') setTimeout(() => setWaiting(waiting.filter(other => other !== call)), plainMs)
}

function show(call: Omit<ToastCall, 'id'>, id = `toast-${++count}`): string {
  const toastCall = { ...call, id }
  if (state.view) state.view.show(toastCall)
  else {
    setWaiting([...waiting.filter(other => other.id !== id), toastCall])
    void loadToasts()
  }
  return id
}

export const toast = {
  /** With the id of a loading toast it replaces that toast; the same goes for errors. */
  success: (title: string, detail?: string, id?: string) => show({ kind: 'success', title, detail }, id),
  /** The action's fixed text, with the server's message below it, if any. */
  error: (title: string, detail?: string, id?: string) => show({ kind: 'error', title, detail }, id),
  info: (title: string, detail?: string) => show({ kind: 'info', title, detail }),
  /** A success toast with a button, such as Undo. */
  withAction: (title: string, action: ToastAction, detail?: string) =>
    show({ kind: 'success', title, detail, action, durationMs: actionMs }),
  /** Stays until it is replaced, or dismissed by the id that is returned. */
  loading: (title: string) => show({ kind: 'loading', title }),
  dismiss: (id: string) => {
    setWaiting(waiting.filter(call => call.id !== id))
    state.view?.dismiss(id)
  },
  /** Removes all toasts. */
  clear: () => {
    setWaiting([])
    state.view?.clear()
  },
}

export const sessionToast = {
  success: (title: string) => show({ kind: 'success', title, durationMs: sessionMs.success }),
  error: (title: string, detail?: string) =>
    show({ kind: 'error', title, detail, durationMs: sessionMs.error }),
}
