import { StepUpHost } from '../../features/factors/step-up-host.tsx'
import { IdleTimer } from '../../session/idle-timer.tsx'

/** What stays beside every screen of a signed-in person, and that visitors do not load. */
export function SignedInParts() {
  return (
    <>
      <IdleTimer />
      <StepUpHost />
    </>
  )
}
