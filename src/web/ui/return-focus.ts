import { useRef } from 'react'

/** Returns the focus to where it was, or to the main content when that is gone, e.g. a deleted row's button. */
export function useReturnFocus() {
  const opener = useRef<Element>(null)
  return {
    remember: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const target = opener.current?.isConnected ? opener.current : document.getElementById('main')
      if (target instanceof HTMLElement) target.focus()
    },
  }
}
