/** The warning comes after this long without activity … */
export const warnAfterMs = 1_080_000
/** … and the end after this long. */
export const idleMs = 1_200_000
/** An active browser asks the server before its 30 minutes without a request are over. */
export const verifyEveryMs = 540_000

// One moment for all tabs of the site, so that activity in one keeps the others alive.
const key = 'lastActivity'

export function markActivity(): void {
  localStorage.setItem(key, String(Date.now()))
}

/** Milliseconds since the last activity in any tab, by the clock: a computer that slept has been idle meanwhile. */
export function idleForMs(): number {
  const last = Number(localStorage.getItem(key))
  return last > 0 ? Date.now() - last : 0
}
