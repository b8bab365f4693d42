import { Info } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import {
  type DefaultToastOptions,
  toast as hotToast,
  resolveValue,
  ToastIcon,
  useToaster,
} from 'react-hot-toast'
import { useClearOffset } from './use-clear-offset.ts'

/** How long toasts stay, in milliseconds. */
export const toastOptions = {
  duration: 4000,
  success: { duration: 3000, iconTheme: { primary: '#1d6444', secondary: '#fff' } },
  error: { duration: 5000, iconTheme: { primary: '#a3261f', secondary: '#fff' } },
  loading: { duration: Number.POSITIVE_INFINITY, iconTheme: { primary: '#1e3552', secondary: '#e6dccb' } },
  // Errors are polite, too: what must interrupt is said in the form itself.
  ariaProps: { role: 'status', 'aria-live': 'polite' },
} satisfies DefaultToastOptions

/** Toasts of login, registration, logout, profile, password and user refresh. */
const sessionToastOptions = { success: { duration: 2000 }, error: { duration: 4000 } }

/** How long a toast stays that offers something. */
const actionMs = 20_000

/** The newest ones; an older one shows again when there is room and time left. */
const maxShown = 3

/**
 * Mount once. Toasts appear at the top right, below the navigation bar, beside every control, and let the mouse
 * through, but for what they offer. The live region exists before its toasts, so that screen readers announce them, also above open dialogs.
 */
export function Toasts() {
  const { handlers, toasts } = useToaster(toastOptions)
  const shown = toasts.filter(({ visible }) => visible).slice(0, maxShown)
  const region = useRef<HTMLElement>(null)
  const { x, y } = useClearOffset(region, shown.length)
  useHotkey(region)
  return (
    <section
      ref={region}
      aria-label="Notifications"
      aria-live="polite"
      // Nothing goes while the focus is in it.
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
      className="pointer-events-none fixed top-19 right-3 z-9999 grid max-w-[calc(100vw-1.5rem)] justify-items-end gap-2.5 print:hidden"
      style={{ transform: `translate(${x}px, ${y}px)` }}
    >
      {shown.map(shownToast => (
        <div
          key={shownToast.id}
          {...shownToast.ariaProps}
          className="flex max-w-104 animate-fade items-center rounded-control border border-line bg-white px-3.5 py-2 text-base leading-snug wrap-anywhere text-ink shadow-overlay"
        >
          <ToastIcon toast={shownToast} />
          <div className="mx-2.5 my-0.5 min-w-0">{resolveValue(shownToast.message, shownToast)}</div>
        </div>
      ))}
    </section>
  )
}

/** Leads to what the newest toast offers: toasts are the last of the page, and do not wait. */
const hotkey = 'F8'

function useHotkey(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === hotkey) region.current?.querySelector('button')?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [region])
}

function message(title: string, detail: string | undefined) {
  if (!detail || detail === title) return title
  return (
    <div>
      <strong className="block font-semibold">{title}</strong>
      {detail}
    </div>
  )
}

const replacing = (id: string | undefined) => (id === undefined ? {} : { id })

export const toast = {
  /** With the id of a loading toast it replaces that one; so do errors. */
  success: (title: string, detail?: string, id?: string) =>
    hotToast.success(message(title, detail), replacing(id)),
  /** The fixed text of the action and below it the server's sentence, if any. */
  error: (title: string, detail?: string, id?: string) =>
    hotToast.error(message(title, detail), replacing(id)),
  info: (title: string, detail?: string) =>
    hotToast(message(title, detail), { icon: <Info aria-hidden className="size-5 shrink-0 text-blue" /> }),
  /** A success that can be taken back for a while. */
  withAction: (title: string, action: { label: string; run: () => void }, detail?: string) => {
    const id = hotToast.success(
      () => (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <div>{message(title, detail)}</div>
          <button
            type="button"
            aria-keyshortcuts={hotkey}
            className="pointer-events-auto min-h-9 link font-semibold"
            onClick={() => {
              hotToast.dismiss(id)
              // The button goes, and the focus with it.
              document.getElementById('main')?.focus({ preventScroll: true })
              action.run()
            }}
          >
            {action.label}
          </button>
          <kbd className="text-sm text-muted pointer-coarse:hidden">{hotkey}</kbd>
        </div>
      ),
      { duration: actionMs },
    )
    return id
  },
  /** Stays until it is replaced or dismissed by the id that it returns. */
  loading: (title: string) => hotToast.loading(title),
  dismiss: (id: string) => hotToast.dismiss(id),
  /** Removes all of them. */
  clear: () => hotToast.remove(),
}

export const sessionToast = {
  success: (title: string) => hotToast.success(title, sessionToastOptions.success),
  error: (title: string, detail?: string) =>
    hotToast.error(message(title, detail), sessionToastOptions.error),
}
