/** How often the dashboard looks for changes while it is open. */
export const pollIntervalMs = 30_000
