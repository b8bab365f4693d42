import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { plural } from '../../domain/plural.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { idleLimitMs, idleWarningMs, markActivity, msSinceActivity, verifyIntervalMs } from './activity.ts'
import { useSession } from './session.tsx'
import { useSignOut } from './use-sign-out.ts'

const activityEvents = ['mousemove', 'mousedown', 'keydown', 'touchstart', 'scroll'] as const
const tickMs = 1_000

/** Warns an idle user, then signs them out. Mounted only while signed in. */
export function IdleTimer() {
  const { logout, verify } = useSession()
  const signOutByUser = useSignOut()
  const [secondsLeft, setSecondsLeft] = useState<number>()
  const verifiedAt = useRef(Date.now())
  const warning = useRef<HTMLDivElement>(null)
  const ending = useRef(false)

  const signOut = async (reason: 'idle' | 'logout') => {
    if (ending.current) return
    ending.current = true
    setSecondsLeft(undefined)
    await (reason === 'idle' ? logout(reason) : signOutByUser())
    ending.current = false
  }

  const tick = useEffectEvent(() => {
    const idleFor = msSinceActivity()
    if (idleFor >= idleLimitMs) return void signOut('idle')
    setSecondsLeft(idleFor >= idleWarningMs ? Math.ceil((idleLimitMs - idleFor) / 1000) : undefined)
    if (Date.now() - verifiedAt.current >= verifyIntervalMs && idleFor < verifyIntervalMs) {
      verifiedAt.current = Date.now()
      void verify()
    }
  })

  const onActivity = useEffectEvent((event: Event) => {
    // The warning must not hide before its own buttons can be pressed.
    if (event.target instanceof Node && warning.current?.contains(event.target)) return
    if (document.visibilityState === 'hidden') return
    // The first movement after waking up comes before the next tick.
    if (msSinceActivity() >= idleLimitMs) return void signOut('idle')
    markActivity()
    setSecondsLeft(undefined)
  })

  useEffect(() => {
    const listen = (event: Event) => onActivity(event)
    for (const name of activityEvents) window.addEventListener(name, listen, { passive: true, capture: true })
    window.addEventListener('focus', listen)
    document.addEventListener('visibilitychange', listen)
    const timer = setInterval(() => tick(), tickMs)
    tick()
    return () => {
      for (const name of activityEvents) window.removeEventListener(name, listen, { capture: true })
      window.removeEventListener('focus', listen)
      document.removeEventListener('visibilitychange', listen)
      clearInterval(timer)
    }
  }, [])

  const stay = async () => {
    if (!(await verify())) return signOut('idle')
    verifiedAt.current = Date.now()
    markActivity()
    setSecondsLeft(undefined)
  }

  return (
    <Dialog
      open={secondsLeft !== undefined}
      onOpenChange={() => {}}
      dismissible={false}
      size="sm"
      title="Session expiring soon"
    >
      <div ref={warning}>
        <p>
          You will be signed out in{' '}
          <strong className="tabular-nums">{plural(secondsLeft ?? 0, 'second')}</strong> because nothing has
          happened here for a while.
        </p>
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={() => void signOut('logout')}>
            Sign out now
          </Button>
          <Button onClick={() => void stay()}>Stay signed in</Button>
        </div>
      </div>
    </Dialog>
  )
}
