/** The same entries with one in another place. */
export function moveEntry<Entry>(entries: readonly Entry[], from: number, to: number): Entry[] {
  const moved = entries.filter((_, index) => index !== from)
  return moved.toSpliced(to, 0, entries[from] as Entry)
}

/** What a screen reader says about a list that is put in order; places count from 1. */
export const orderMessages = {
  pickedUp: (name: string, index: number, count: number) =>
    `Picked up: ${name}, place ${index + 1} of ${count}`,
  over: (index: number, count: number) => `Place ${index + 1} of ${count}`,
  moved: (name: string, index: number, count: number) => `Moved to place ${index + 1} of ${count}: ${name}`,
  putBack: (name: string, index: number, count: number) =>
    `Put back to place ${index + 1} of ${count}: ${name}`,
  added: (noun: string, count: number) => `Added ${noun} ${count}`,
  removed: (name: string, count: number) => `Removed: ${name}. ${count} left.`,
} as const

/** Names of the entries of a list that stay with them in every order, one for each. */
export function fitKeys(keys: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => keys[index] ?? crypto.randomUUID())
}

/** Where the focus goes when an entry is gone: to the one that took its place, or to the one before it. */
export function neighborOf(keys: readonly string[], removed: number): string | undefined {
  return keys[removed + 1] ?? keys[removed - 1]
}
