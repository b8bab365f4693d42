/** How often the open dashboard checks for changes. */
export const pollIntervalMs = 30_000
