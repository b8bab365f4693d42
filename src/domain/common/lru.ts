/** A map that evicts the least recently used entries while their total size is more than `maxSize`, by default their number. */
export function createLru<Key, Value>(maxSize: number, sizeOf: (value: Value) => number = () => 1) {
  const entries = new Map<Key, Value>()
  let size = 0
  const remove = (key: Key): boolean => {
    const value = entries.get(key)
    if (value !== undefined) size -= sizeOf(value)
    return entries.delete(key)
  }
  return {
    get: (key: Key): Value | undefined => {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set: (key: Key, value: Value) => {
      remove(key)
      entries.set(key, value)
      size += sizeOf(value)
      for (const oldest of entries.keys()) {
        if (size <= maxSize) break
        remove(oldest)
      }
    },
    delete: remove,
  }
}
