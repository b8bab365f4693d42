import { Info } from 'lucide-react'
import { type DefaultToastOptions, toast as hotToast, Toaster } from 'react-hot-toast'

/** How long toasts stay, in milliseconds; spec section 9. */
export const toastOptions = {
  duration: 4000,
  success: { duration: 3000, iconTheme: { primary: '#1d6444', secondary: '#fff' } },
  error: { duration: 5000, iconTheme: { primary: '#a3261f', secondary: '#fff' } },
  loading: { duration: Number.POSITIVE_INFINITY, iconTheme: { primary: '#1e3552', secondary: '#e6dccb' } },
  // Errors wait their turn as well: what must interrupt stands in the form itself.
  ariaProps: { role: 'status', 'aria-live': 'polite' },
  style: {
    maxWidth: '26rem',
    padding: '0.625rem 0.875rem',
    border: '1px solid var(--color-line)',
    borderRadius: 'var(--radius-control)',
    boxShadow: 'var(--shadow-overlay)',
    color: 'var(--color-ink)',
    fontSize: '1rem',
    lineHeight: 1.4,
    overflowWrap: 'anywhere',
  },
} satisfies DefaultToastOptions

/** Toasts of login, registration, logout, profile, password and user refresh. */
export const sessionToastOptions = { success: { duration: 2000 }, error: { duration: 4000 } }

/**
 * Mount once, in the shell. react-hot-toast itself shows at most 20 toasts. The region is there before its toasts and
 * is live, so screen readers hear them, and open dialogs do not hide it from them.
 */
export function Toasts() {
  return (
    <section aria-label="Notifications" aria-live="polite" className="print:hidden">
      <Toaster
        position="top-right"
        toastOptions={toastOptions}
        gutter={10}
        // Below the navigation bar, which stays usable.
        containerStyle={{ inset: '4.75rem 0.75rem 0.75rem' }}
      />
    </section>
  )
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

export const toast = {
  success: (title: string, detail?: string) => hotToast.success(message(title, detail)),
  /** The fixed text of the action and, where the server gave one, its sentence below. */
  error: (title: string, detail?: string) => hotToast.error(message(title, detail)),
  info: (title: string, detail?: string) =>
    hotToast(message(title, detail), { icon: <Info aria-hidden className="size-5 shrink-0 text-blue" /> }),
  /** Stays until it is dismissed by the id that it answers with. */
  loading: (title: string) => hotToast.loading(title),
  dismiss: (id: string) => hotToast.dismiss(id),
  /** Takes all of them away at once. */
  clear: () => hotToast.remove(),
}

export const sessionToast = {
  success: (title: string) => hotToast.success(title, sessionToastOptions.success),
  error: (title: string, detail?: string) =>
    hotToast.error(message(title, detail), sessionToastOptions.error),
}
