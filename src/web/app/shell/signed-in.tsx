import { StepUpHost } from '../../features/factors/step-up-host.tsx'
import { IdleTimer } from '../../session/idle-timer.tsx'

/** The parts that every signed-in screen has, and that visitors do not load. */
export function SignedInParts() {
  return (
    <>
      <IdleTimer />
      <StepUpHost />
    </>
  )
}
