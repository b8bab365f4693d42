export type ToastAction = { label: string; run: () => void }

export type Toast = {
  id: string
  kind: 'success' | 'error' | 'info' | 'loading'
  title: string
  detail?: string | undefined
  action?: ToastAction
}

const durationsMs = { success: 3000, error: 5000, info: 4000, loading: Number.POSITIVE_INFINITY }
/** For toasts about login, registration, logout, profile, password and user refresh. */
const sessionMs = { success: 2000, error: 4000 }
/** A toast with a button stays longer. */
const actionMs = 20_000
const maxKept = 20

/** The newest first. */
let toasts: readonly Toast[] = []
let count = 0
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

/** The store for `useSyncExternalStore`. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: () => toasts,
}

function setToasts(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function show(made: Omit<Toast, 'id'>, id = `toast-${++count}`, durationMs = durationsMs[made.kind]): string {
  toast.keep(id)
  setToasts([{ ...made, id }, ...toasts.filter(other => other.id !== id)].slice(0, maxKept))
  if (Number.isFinite(durationMs)) timers.set(id, setTimeout(toast.dismiss, durationMs, id))
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
    show({ kind: 'success', title, detail, action }, undefined, actionMs),
  /** Stays until it is replaced, or dismissed by the id that is returned. */
  loading: (title: string) => show({ kind: 'loading', title }),
  dismiss: (id: string) => {
    toast.keep(id)
    setToasts(toasts.filter(other => other.id !== id))
  },
  /** Stops the time of a toast, such as while the focus is on its button. */
  keep: (id: string) => {
    clearTimeout(timers.get(id))
    timers.delete(id)
  },
  /** Removes all toasts. */
  clear: () => {
    for (const { id } of toasts) toast.keep(id)
    setToasts([])
  },
}

export const sessionToast = {
  success: (title: string) => show({ kind: 'success', title }, undefined, sessionMs.success),
  error: (title: string, detail?: string) =>
    show({ kind: 'error', title, detail }, undefined, sessionMs.error),
}
