/** The list with one entry moved to another place. */
export function moveEntry<Entry>(entries: readonly Entry[], from: number, to: number): Entry[] {
  const moved = entries.filter((_, index) => index !== from)
  return moved.toSpliced(to, 0, entries[from] as Entry)
}

/** The screen reader announcements for reordering a list; places count from 1. */
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

/** Adds or drops keys so that there is one for each entry; existing entries keep their keys. */
export function resizeKeys(keys: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => keys[index] ?? crypto.randomUUID())
}

/** Where the focus goes when an entry is removed: to the next entry, or else to the previous one. */
export function nextFocusKey(keys: readonly string[], removed: number): string | undefined {
  return keys[removed + 1] ?? keys[removed - 1]
}
