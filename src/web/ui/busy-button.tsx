import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'

/**
 * A button that keeps the focus while a request is running: browsers remove the focus from a disabled button. If the
 * button is gone afterwards, for example with a resolved notice, the focus goes to the main content.
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
