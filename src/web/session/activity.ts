/** The time without activity until the warning is shown, and until the session ends. */
export const idleWarningMs = 1_080_000
export const idleLimitMs = 1_200_000
/** The server ends a session after 30 minutes without a request, so an active browser sends one earlier. */
export const verifyIntervalMs = 540_000

// In local storage, which all tabs share, so that activity in one tab keeps the others alive.
const key = 'lastActivity'

export function markActivity(): void {
  localStorage.setItem(key, String(Date.now()))
}

/** Milliseconds since the last activity in any tab, by the wall clock: time asleep counts as idle. */
export function msSinceActivity(): number {
  const last = Number(localStorage.getItem(key))
  return last > 0 ? Date.now() - last : 0
}
