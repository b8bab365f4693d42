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

/** A field and the groups that it is in. */
export const withParents = (path: string): string[] =>
  path.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'))
