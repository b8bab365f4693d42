const watchers = new Set<() => void>()

/** Clears the responses that are cached outside the query cache, and drops those in flight. */
export function clearResponseCache(): void {
  for (const watcher of watchers) watcher()
}

/** Calls the watcher on each `clearResponseCache`. */
export function onCacheClear(watcher: () => void): void {
  watchers.add(watcher)
}
