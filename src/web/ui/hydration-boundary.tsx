import { type ReactNode, useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Marks what the server rendered until the browser's code has taken it over, for whoever presses something earlier. */
export function HydrationBoundary({ children }: { children: ReactNode }) {
  const isWaiting = useSyncExternalStore(
    never,
    () => false,
    () => true,
  )
  return (
    <div className="contents" data-waiting={isWaiting ? '' : undefined}>
      {children}
    </div>
  )
}

/** What somebody has typed into served fields of these names before their form was taken over. */
export function prefilledValues<T extends Record<string, string>>(blank: T): T {
  if (typeof document === 'undefined') return blank
  const typed = Object.keys(blank).flatMap(name => {
    const field = document.querySelector(`[data-waiting] form [name="${name}"]`)
    return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
      ? [[name, field.value]]
      : []
  })
  return { ...blank, ...Object.fromEntries(typed) }
}
