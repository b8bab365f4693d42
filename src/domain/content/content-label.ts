/** Where a host's word is not the field's name. */
const hostWords: Record<string, string> = { alt: 'Description', eyebrow: 'Small line above', hero: 'Welcome' }

/** The label of the field at a path: `Owner phone` for `['ownerPhone']`, `Description` for `['pictures', 0, 'alt']`. */
export function labelOf(path: readonly PropertyKey[]): string {
  const name = path.map(String).findLast(key => !/^\d+$/.test(key)) ?? ''
  if (Object.hasOwn(hostWords, name)) return hostWords[name] ?? ''
  const words = name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
