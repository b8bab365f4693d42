/**
 * Watches from now on whether somebody goes on meanwhile, by typing or in another field: then an error that comes late
 * leaves the focus where it is.
 */
export function watchGoingOn(): { hasGoneOn: () => boolean; stop: () => void } {
  const before = document.activeElement
  let hasTyped = false
  const note = () => {
    hasTyped = true
  }
  document.addEventListener('input', note, { capture: true, once: true })
  return {
    hasGoneOn: () => hasTyped || (document.activeElement !== before && isField(document.activeElement)),
    stop: () => document.removeEventListener('input', note, { capture: true }),
  }
}

function isField(element: Element | null): boolean {
  return element?.matches('input, select, textarea') ?? false
}
