/**
 * Whether a value that was read back has the fields of a sample, each of the same type; each entry of a list is as the
 * sample's first one.
 */
export function hasShapeOf<Sample>(sample: Sample, value: unknown): value is Sample {
  if (Array.isArray(sample))
    return Array.isArray(value) && value.every(entry => hasShapeOf<unknown>(sample[0], entry))
  if (typeof sample !== 'object' || sample === null) return typeof value === typeof sample
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  return Object.entries(sample).every(([name, part]) => hasShapeOf<unknown>(part, fields.get(name)))
}
