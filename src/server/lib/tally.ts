/** Counts by key; a key whose count is zero takes no memory. */
export function createTally() {
  const counts = new Map<string, number>()
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    /** Adds an amount; the returned function subtracts it again, at most once. */
    enter(key: string, amount = 1): () => void {
      counts.set(key, (counts.get(key) ?? 0) + amount)
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        const left = (counts.get(key) ?? amount) - amount
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}
