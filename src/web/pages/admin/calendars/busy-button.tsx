import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'

/**
 * A button that waits for the server and keeps the focus: browsers take it from what is disabled. Where the button is
 * gone by then, as on a notice that is settled, the focus goes to the main content.
 */
export function BusyButton(props: Omit<ComponentProps<typeof Button>, 'ref'>) {
  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  const { busy = false } = props
  useLayoutEffect(() => {
    if (busy) hadFocus.current = document.activeElement === button.current
    else if (hadFocus.current) {
      hadFocus.current = false
      if (isLost()) button.current?.focus()
    }
  }, [busy])
  useLayoutEffect(
    () => () => {
      if (hadFocus.current) queueMicrotask(() => isLost() && document.getElementById('main')?.focus())
    },
    [],
  )
  return <Button ref={button} {...props} />
}

const isLost = () => document.activeElement === null || document.activeElement === document.body
