type Fields = Record<string, unknown>

/** Whether two bodies of a section are equal, regardless of the order of their fields. */
export function isSameBody(a: unknown, b: unknown): boolean {
  if (!isFields(a) && !Array.isArray(a)) return a === b
  if (!(isFields(b) || Array.isArray(b)) || Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), b as Fields]
  return (
    left.length === Object.keys(right).length &&
    left.every(([key, value]) => Object.hasOwn(right, key) && isSameBody(value, right[key]))
  )
}

/** Whether a value is an object with fields: neither null nor an array. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
