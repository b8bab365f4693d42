const watchers = new Set<() => void>()

/** Clears the responses that are cached outside the query cache, and drops those in flight. */
export function forgetAnswers(): void {
  for (const watcher of watchers) watcher()
}

/** Calls the watcher on each `forgetAnswers`. */
export function onForget(watcher: () => void): void {
  watchers.add(watcher)
}
