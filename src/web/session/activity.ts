/** Time without activity until the warning, and until the session ends. */
export const idleWarningMs = 1_080_000
export const idleLimitMs = 1_200_000
/** The server ends a session after 30 minutes without a request, so an active browser asks earlier. */
export const verifyIntervalMs = 540_000

// Shared by all tabs of the site, so that activity in one keeps the others alive.
const key = 'lastActivity'

export function markActivity(): void {
  localStorage.setItem(key, String(Date.now()))
}

/** Milliseconds since the last activity in any tab, by the clock: sleep counts as idle. */
export function msSinceActivity(): number {
  const last = Number(localStorage.getItem(key))
  return last > 0 ? Date.now() - last : 0
}
