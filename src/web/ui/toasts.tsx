import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type Toast, toast, toastStore } from './toast.ts'

/** Only the newest toasts are shown; an older one reappears when there is room and its time has not run out. */
const maxShown = 3
/** Moves the focus to the button of the newest toast: toasts are last in the tab order and disappear after a while. */
const hotkey = 'F8'

/**
 * Mount once. Toasts appear at the top right, on a phone one at a time over the header bar. A mouse clicks through them,
 * a finger removes them. The live region exists before its toasts, so that screen readers announce them, also above
 * open dialogs.
 */
export function ToastRegion() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.read)
  const region = useRef<HTMLElement>(null)
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === hotkey) region.current?.querySelector('button')?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <section
      ref={region}
      aria-label="Notifications"
      aria-live="polite"
      className="pointer-events-none fixed top-2 right-2 z-9999 grid max-w-104 justify-items-end gap-2 max-sm:left-2 max-sm:max-w-none max-sm:*:not-first:hidden max-sm:*:w-full print:hidden"
    >
      {toasts.slice(0, maxShown).map(shown => (
        <ToastCard key={shown.id} {...shown} />
      ))}
    </section>
  )
}

/** Drawn here, so that no screen loads the files of four icons for them. */
const marks = {
  success: { className: 'text-green', path: 'm5 12.5 4.5 4.5L19 7.5' },
  error: { className: 'text-red', path: 'm6.5 6.5 11 11m0-11-11 11' },
  info: { className: 'text-blue', path: 'M12 11v7m0-12v.5' },
  loading: { className: 'animate-spin text-navy', path: 'M12 3.5a8.5 8.5 0 1 0 8.5 8.5' },
}

function Mark({ kind }: Pick<Toast, 'kind'>) {
  const { className, path } = marks[kind]
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      className={`size-5 shrink-0 fill-none stroke-current stroke-3 [stroke-linecap:round] ${className}`}
    >
      <path d={path} />
    </svg>
  )
}

/** On a phone the text has at most two lines, so that it stays over the header bar. */
function ToastCard({ action, detail, id, kind, title }: Toast) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a toast disappears by itself
    <div
      role="status"
      onClick={() => toast.dismiss(id)}
      className="flex min-h-12 animate-fade items-center gap-2.5 rounded-control border border-line bg-white px-3.5 py-1 leading-snug wrap-anywhere text-ink shadow-overlay pointer-coarse:pointer-events-auto max-sm:text-[0.9375rem]"
    >
      <Mark kind={kind} />
      <p className="min-w-0 max-sm:line-clamp-2">
        {detail && detail !== title ? (
          <>
            <strong className="font-semibold sm:block">{title}</strong> {detail}
          </>
        ) : (
          title
        )}
      </p>
      {action && (
        <button
          type="button"
          aria-keyshortcuts={hotkey}
          className="pointer-events-auto min-h-9 link font-semibold whitespace-nowrap"
          onFocus={() => toast.keep(id)}
          onBlur={() => toast.dismiss(id)}
          onClick={() => {
            // The button disappears, so the focus moves to the main content.
            document.getElementById('main')?.focus({ preventScroll: true })
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
      {action && <kbd className="text-sm text-muted pointer-coarse:hidden">{hotkey}</kbd>}
    </div>
  )
}
