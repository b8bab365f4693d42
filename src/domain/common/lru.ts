/** A map of at most `maxEntries` that evicts the least recently used entry. */
export function createLru<Key, Value>(maxEntries: number) {
  const entries = new Map<Key, Value>()
  const set = (key: Key, value: Value) => {
    entries.delete(key)
    entries.set(key, value)
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value as Key)
  }
  return {
    get: (key: Key): Value | undefined => {
      const value = entries.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
    delete: (key: Key): boolean => entries.delete(key),
    clear: () => entries.clear(),
  }
}
