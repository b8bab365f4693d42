/**
 * Replays button clicks and form submits that happen before hydration. Until then `HydrationBoundary` marks the
 * server's markup with `data-waiting`. Links work without JavaScript.
 */
export function replayEarlyEvents(): void {
  const repeat = (event: Event, control: HTMLElement | null, again: (control: HTMLElement) => void) => {
    if (!control?.closest('[data-waiting]')) return
    event.preventDefault()
    event.stopPropagation()
    onceHydrated(control, () => again(control))
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

function onceHydrated(control: HTMLElement, act: () => void): void {
  const observer = new MutationObserver(() => {
    if (control.closest('[data-waiting]')) return
    observer.disconnect()
    act()
  })
  observer.observe(document, { subtree: true, attributes: true, attributeFilter: ['data-waiting'] })
}
