import { KeyRound } from 'lucide-react'
import { type ComponentProps, useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'

type PasskeyButtonProps = ComponentProps<typeof Button> & {
  busy: boolean
  /** Whether it has the focus when it appears. */
  isFirst?: boolean
}

/**
 * Lets the person use a passkey. While it waits it is disabled and loses the focus; it takes that back when no passkey
 * was used, unless the person has moved on.
 */
export function PasskeyButton({ busy, children, isFirst = false, ...props }: PasskeyButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const hasWaited = useRef(false)
  useEffect(() => {
    if (isFirst) button.current?.focus()
  }, [isFirst])
  useEffect(() => {
    // Meanwhile the page or the dialog around it has the focus.
    if (hasWaited.current && !busy && document.activeElement?.contains(button.current))
      button.current?.focus()
    hasWaited.current = busy
  }, [busy])
  return (
    <Button ref={button} busy={busy} busyLabel="Waiting for your passkey..." {...props}>
      <KeyRound aria-hidden />
      {children}
    </Button>
  )
}
