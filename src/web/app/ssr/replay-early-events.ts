/**
 * A press on a button, or a form sent, that comes before the code is there which would hear it, is made again once it
 * is. Markup of the server is marked with `data-waiting` until then (features/ssr/waiting.tsx). Links need no help.
 */
export function replayEarlyEvents(): void {
  const repeat = (event: Event, control: HTMLElement | null, again: (control: HTMLElement) => void) => {
    if (!control?.closest('[data-waiting]')) return
    event.preventDefault()
    event.stopPropagation()
    whenTakenOver(control, () => again(control))
  }
  document.addEventListener(
    'click',
    event => {
      const pressed = event.target instanceof Element ? event.target : null
      repeat(event, pressed?.closest<HTMLElement>('button, a[aria-haspopup]') ?? null, control =>
        control.click(),
      )
    },
    true,
  )
  document.addEventListener(
    'submit',
    event => {
      const form = event.target instanceof HTMLFormElement ? event.target : null
      repeat(event, form, () => form?.requestSubmit())
    },
    true,
  )
}

function whenTakenOver(control: HTMLElement, act: () => void): void {
  const observer = new MutationObserver(() => {
    if (control.closest('[data-waiting]')) return
    observer.disconnect()
    act()
  })
  observer.observe(document, { subtree: true, attributes: true, attributeFilter: ['data-waiting'] })
}
