import { useRef } from 'react'

/**
 * Returns the focus to where it was, or to the main content when that is gone, e.g. a deleted row's button. `opener` is
 * what had the focus, where that is known better than by what has it when the dialog opens.
 */
export function useReturnFocus(opener?: Element | null) {
  const focused = useRef<Element>(null)
  return {
    remember: () => {
      focused.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const before = opener ?? focused.current
      const target = before?.isConnected ? before : document.getElementById('main')
      if (target instanceof HTMLElement) focusOnceEnabled(target)
    },
  }
}

/** A button that waits for an answer takes the focus when it is over, unless the person has moved on. */
function focusOnceEnabled(target: HTMLElement): void {
  target.focus()
  if (!target.matches(':disabled')) return
  const observer = new MutationObserver(() => {
    observer.disconnect()
    if (document.activeElement === document.body) target.focus()
  })
  observer.observe(target, { attributeFilter: ['disabled'] })
}
