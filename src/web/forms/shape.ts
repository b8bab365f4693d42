/**
 * Whether a stored value has all fields of a sample with the same types. List entries are compared with the sample's
 * first entry.
 */
export function hasShapeOf<Sample>(sample: Sample, value: unknown): value is Sample {
  if (Array.isArray(sample))
    return Array.isArray(value) && value.every(entry => hasShapeOf<unknown>(sample[0], entry))
  if (typeof sample !== 'object' || sample === null) return typeof value === typeof sample
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  return Object.entries(sample).every(([name, part]) => hasShapeOf<unknown>(part, fields.get(name)))
}
