import { KeyRound } from 'lucide-react'
import { type ComponentProps, useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'

type PasskeyButtonProps = ComponentProps<typeof Button> & {
  busy: boolean
  /** Whether the button gets the focus when it appears. */
  isFirst?: boolean
}

/**
 * Prompts for a passkey. The button is disabled during the prompt and loses the focus; it gets the focus back if no
 * passkey was used, unless the person has moved the focus.
 */
export function PasskeyButton({ busy, children, isFirst = false, ...props }: PasskeyButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const hasWaited = useRef(false)
  useEffect(() => {
    if (isFirst) button.current?.focus()
  }, [isFirst])
  useEffect(() => {
    // In the meantime the surrounding page or dialog has the focus.
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
