import type { SectionName } from '../../../../../domain/content/content.ts'
import { controlId } from './control-id.ts'

/**
 * Focuses the field at a path within a section, such as `headline` or `reviews.2.date`, or the nearest element around
 * it. Opens the entry that contains the field. Returns false if the section is not on the screen.
 */
export function focusField(section: SectionName, path: string): boolean {
  const found = nearestTo(section, path.split('.'))
  if (!found) return false
  if (found.getAttribute('aria-expanded') === 'false') {
    found.click()
    // The fields are rendered by then.
    requestAnimationFrame(() => show(nearestTo(section, path.split('.')) ?? found))
  } else show(found)
  return true
}

function nearestTo(section: SectionName, keys: readonly string[]): HTMLElement | undefined {
  if (keys.length === 0) return undefined
  return document.getElementById(controlId(section, keys.join('.'))) ?? nearestTo(section, keys.slice(0, -1))
}

function show(control: HTMLElement): void {
  control.scrollIntoView({ block: 'center' })
  control.focus({ preventScroll: true })
}

const renderTimeoutMs = 5000

/** The same for a section whose form may still be loading. */
export function focusFieldAfterRender(section: SectionName, path: string): void {
  const until = performance.now() + renderTimeoutMs
  const attempt = () => {
    if (!focusField(section, path) && performance.now() < until) requestAnimationFrame(attempt)
  }
  requestAnimationFrame(attempt)
}
