/** The name of a field, such as `address.city` or `payments.0.amount`. */
export type Path<Values> = Values extends readonly (infer Item)[]
  ? `${number}` | `${number}.${Path<Item>}`
  : Values extends object
    ? { [Key in keyof Values & string]: Key | `${Key}.${Path<NonNullable<Values[Key]>>}` }[keyof Values &
        string]
    : never

export const valueAt = (values: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values)

/** A field and the objects and arrays that contain it. */
export const withParents = (path: string): string[] =>
  path.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'))

/** A copy with one field changed; the same values if the field is in a row that was removed. */
export function withValueAt<Values>(values: Values, path: string, value: unknown): Values {
  const [key = '', ...rest] = path.split('.')
  const part = (values as Record<string, unknown> | undefined)?.[key]
  if (Array.isArray(values) && part === undefined) return values
  const next = rest.length > 0 ? withValueAt(part, rest.join('.'), value) : value
  return Array.isArray(values) ? (values.with(Number(key), next) as Values) : { ...values, [key]: next }
}
