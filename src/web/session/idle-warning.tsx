import type { RefObject } from 'react'
import { plural } from '../../domain/common/plural.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

type IdleWarningProps = {
  ref: RefObject<HTMLDivElement | null>
  secondsLeft: number
  onSignOut: () => void
  onStay: () => void
}

/** Counts down to the end of an idle session. */
export function IdleWarning({ ref, secondsLeft, onSignOut, onStay }: IdleWarningProps) {
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
