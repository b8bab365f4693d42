/** Watches whether the person types or moves to another field; if so, a late error must not take the focus. */
export function watchInteraction(): { hasInteracted: () => boolean; stop: () => void } {
  const before = document.activeElement
  let hasTyped = false
  const onInput = () => {
    hasTyped = true
  }
  document.addEventListener('input', onInput, { capture: true, once: true })
  return {
    hasInteracted: () => hasTyped || (document.activeElement !== before && isField(document.activeElement)),
    stop: () => document.removeEventListener('input', onInput, { capture: true }),
  }
}

function isField(element: Element | null): boolean {
  return element?.matches('input, select, textarea') ?? false
}
