/**
 * Replays button clicks and form submits that happen before hydration. Until then `HydrationBoundary` marks the
 * server's markup with `data-waiting`. Links work without JavaScript. The returned function is for an app that did not
 * load: it leaves the page to the browser, which then sends a submitted form itself.
 */
export function replayEarlyEvents(): () => void {
  let isGivenUp = false
  const waiting = new Set<() => void>()
  const repeat = (event: Event, control: HTMLElement | null, again: (control: HTMLElement) => void) => {
    if (isGivenUp || !control?.closest('[data-waiting]')) return
    event.preventDefault()
    event.stopPropagation()
    const act = () => {
      waiting.delete(act)
      again(control)
    }
    waiting.add(act)
    onceHydrated(control, act)
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
  return () => {
    isGivenUp = true
    for (const act of waiting) act()
  }
}

function onceHydrated(control: HTMLElement, act: () => void): void {
  const observer = new MutationObserver(() => {
    if (control.closest('[data-waiting]')) return
    observer.disconnect()
    act()
  })
  observer.observe(document, { subtree: true, attributes: true, attributeFilter: ['data-waiting'] })
}
