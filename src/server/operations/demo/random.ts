export type Random = ReturnType<typeof createRandom>

/** A seeded pseudorandom generator (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0
  /** [0, 1) */
  function unit(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** An integer in [0, limit). */
  const below = (limit: number): number => Math.floor(unit() * limit)
  function pick<T>(items: readonly T[]): T {
    const item = items[below(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  return { unit, below, pick }
}
