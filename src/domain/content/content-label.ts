/** The label of the field at a path: `Owner phone` for `['ownerPhone']`, `Alt` for `['pictures', 0, 'alt']`. */
export function labelOf(path: readonly PropertyKey[]): string {
  const name = path.map(String).findLast(key => !/^\d+$/.test(key)) ?? ''
  const words = name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
