/** How many items are handled before others may have a turn. */
const itemsAtOnce = 50

/** Calls `handle` for each item; others may have a turn now and then. */
export function* inParts<T>(items: readonly T[], handle: (item: T) => void): Generator<void> {
  for (const [at, item] of items.entries()) {
    handle(item)
    if (at % itemsAtOnce === itemsAtOnce - 1) yield
  }
}

/** Runs all parts without a pause. */
export function allParts<T>(parts: Generator<void, T>): T {
  for (let step = parts.next(); ; step = parts.next()) if (step.done) return step.value
}

/** Runs parts while `isWanted` is true; the result is undefined if they ended before. */
export function* partsWhile<T>(
  isWanted: () => boolean,
  parts: Generator<void, T>,
): Generator<void, T | undefined> {
  for (let step = parts.next(); ; step = parts.next()) {
    if (step.done) return step.value
    if (!isWanted()) return undefined
    yield
  }
}
