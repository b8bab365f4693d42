import { type ReactNode, useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Marks server-rendered markup until it is hydrated, so that earlier clicks can be replayed. */
export function HydrationBoundary({ children }: { children: ReactNode }) {
  const isHydrating = useSyncExternalStore(
    never,
    () => false,
    () => true,
  )
  return (
    <div className="contents" data-waiting={isHydrating ? '' : undefined}>
      {children}
    </div>
  )
}

/** Returns what was typed into fields with these names before their form was hydrated. */
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
