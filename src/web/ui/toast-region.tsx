import { useEffect, useSyncExternalStore } from 'react'
import { loadToasts, toastState } from './toast.ts'
import { toastClass, toastListClass } from './toast-view.ts'

const touches = ['pointerdown', 'keydown'] as const

/**
 * Mount once. Toasts appear at the top right below the navigation bar, avoid covering controls, and let mouse clicks
 * through except on their buttons. The live region exists before its toasts, so that screen readers announce them, also
 * above open dialogs. The code that shows toasts is loaded on the first interaction or the first toast.
 */
export function ToastRegion() {
  const { view, plain } = useSyncExternalStore(toastState.subscribe, toastState.read, toastState.read)
  useEffect(() => {
    const load = () => void loadToasts()
    for (const name of touches) window.addEventListener(name, load, { once: true, passive: true })
    return () => {
      for (const name of touches) window.removeEventListener(name, load)
    }
  }, [])
  return (
    <section aria-label="Notifications" aria-live="polite">
      {view && <view.List />}
      {plain.length > 0 && (
        <div className={toastListClass}>
          {plain.map(({ id, title, detail }) => (
            <p key={id} className={toastClass}>
              {detail && detail !== title ? `${title}: ${detail}` : title}
            </p>
          ))}
        </div>
      )}
    </section>
  )
}
