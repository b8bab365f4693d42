import { useRef } from 'react'

/**
 * Returns the focus to where it was. When that is gone, e.g. a deleted row's button, the dialog below gets it, or the main
 * content. `opener` is what had the focus, where that is known better than by what has it when the dialog opens.
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
      // The body has it where nothing else does.
      const isThere = before?.isConnected && before !== document.body
      const target = isThere ? before : (topmostDialog() ?? document.getElementById('main'))
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
    // Meanwhile the page or a dialog around it has the focus.
    if (document.activeElement?.contains(target)) target.focus()
  })
  observer.observe(target, { attributeFilter: ['disabled'] })
}

/** A row can also be deleted inside of a dialog, and what is behind a dialog must not get the focus. */
function topmostDialog(): Element | undefined {
  return [...document.querySelectorAll('[role=dialog][data-state=open]')].at(-1)
}
