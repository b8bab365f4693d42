import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'wouter'

/** Redirects; `entry` is passed to the login screen. */
export function RedirectTo({ to, entry }: { to: string; entry?: object | undefined }) {
  const [path, navigate] = useLocation()
  const go = useEffectEvent(() => navigate(to, { replace: true, state: entry }))
  const [target] = to.split(/[?#]/)
  // Going back while the next screen is still loading redirects again.
  useEffect(() => {
    if (path !== target) go()
  }, [path, target])
  return null
}
