const watchers = new Set<() => void>()

/** Clears the answers that are cached outside of the query cache, also those in flight. */
export function forgetAnswers(): void {
  for (const watcher of watchers) watcher()
}

/** Calls back for each `forgetAnswers`. */
export function onForget(watcher: () => void): void {
  watchers.add(watcher)
}
