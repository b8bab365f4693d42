import { useRef } from 'react'

/**
 * Returns the focus to where it was. If that element is gone, such as the button of a deleted row, the dialog below
 * gets the focus, or else the main content. `opener` overrides the element that had the focus when the dialog opened.
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
      // The body is the active element if nothing has the focus.
      const isThere = before?.isConnected && before !== document.body
      const target = isThere ? before : (topmostDialog() ?? document.getElementById('main'))
      if (target instanceof HTMLElement) focusOnceEnabled(target)
    },
  }
}

/** If the button is disabled during a request, it gets the focus afterwards, unless the person has moved the focus. */
function focusOnceEnabled(target: HTMLElement): void {
  target.focus()
  if (!target.matches(':disabled')) return
  const observer = new MutationObserver(() => {
    observer.disconnect()
    // In the meantime the surrounding page or dialog has the focus.
    if (document.activeElement?.contains(target)) target.focus()
  })
  observer.observe(target, { attributeFilter: ['disabled'] })
}

/** If the row was in a dialog, that dialog gets the focus, because nothing behind a dialog may have it. */
function topmostDialog(): Element | undefined {
  return [...document.querySelectorAll('[role=dialog][data-state=open]')].at(-1)
}
