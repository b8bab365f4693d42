import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { plural } from '../../domain/common/plural.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { idleLimitMs, idleWarningMs, markActivity, msSinceActivity, verifyIntervalMs } from './activity.ts'
import { useSession } from './session.tsx'
import { useSignOut } from './use-sign-out.ts'

const activityEvents = ['mousemove', 'mousedown', 'keydown', 'touchstart', 'scroll'] as const
const tickMs = 1_000

/** Warns an idle user, then signs the user out. Mounted only while signed in. */
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

  const onTick = () => {
    const idleFor = msSinceActivity()
    if (idleFor >= idleLimitMs) return void signOut('idle')
    setSecondsLeft(idleFor >= idleWarningMs ? Math.ceil((idleLimitMs - idleFor) / 1000) : undefined)
    if (Date.now() - verifiedAt.current >= verifyIntervalMs && idleFor < verifyIntervalMs) {
      verifiedAt.current = Date.now()
      void verify()
    }
  }

  const onActivity = (event: Event) => {
    // Otherwise the warning would disappear before its buttons can be clicked.
    if (event.target instanceof Node && warning.current?.contains(event.target)) return
    if (document.visibilityState === 'hidden') return
    // After waking up, the first movement may come before the next tick.
    if (msSinceActivity() >= idleLimitMs) return void signOut('idle')
    markActivity()
    setSecondsLeft(undefined)
  }

  useActivity({ onActivity, onTick })

  const stay = async () => {
    if (!(await verify())) return signOut('idle')
    verifiedAt.current = Date.now()
    markActivity()
    setSecondsLeft(undefined)
  }

  return (
    secondsLeft !== undefined && (
      <IdleWarning
        ref={warning}
        secondsLeft={secondsLeft}
        onSignOut={() => void signOut('logout')}
        onStay={() => void stay()}
      />
    )
  )
}

type ActivityHandlers = { onActivity: (event: Event) => void; onTick: () => void }

/** Calls `onActivity` on every sign of activity, and `onTick` immediately and then every second. */
function useActivity({ onActivity, onTick }: ActivityHandlers): void {
  const notify = useEffectEvent(onActivity)
  const tick = useEffectEvent(onTick)
  useEffect(() => {
    const listen = (event: Event) => notify(event)
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
}

type IdleWarningProps = {
  ref: RefObject<HTMLDivElement | null>
  secondsLeft: number
  onSignOut: () => void
  onStay: () => void
}

/** Counts down to the end of an idle session. */
function IdleWarning({ ref, secondsLeft, onSignOut, onStay }: IdleWarningProps) {
  return (
    <Dialog open onOpenChange={() => {}} dismissible={false} size="sm" title="Session expiring soon">
      <div ref={ref}>
        <p>
          You will be signed out in <strong className="tabular-nums">{plural(secondsLeft, 'second')}</strong>{' '}
          because of inactivity.
        </p>
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onSignOut}>
            Sign out now
          </Button>
          <Button onClick={onStay}>Stay signed in</Button>
        </div>
      </div>
    </Dialog>
  )
}
