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
