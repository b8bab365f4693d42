/** Creates unique keys for the items of a list; items with the same name are numbered. */
export function withUniqueKeys<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): { key: string; item: Item }[] {
  const seen = new Map<string, number>()
  return items.map(item => {
    const name = nameOf(item)
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return { key: `${name} ${count}`, item }
  })
}
