/** Names that are not a host's words. */
const labels: Record<string, string> = {
  alt: 'Picture description',
  eyebrow: 'Small line on top',
  focal: 'What stays in view',
  hero: 'Welcome',
  how: 'How far',
  rentAndCharges: 'Rent, fees and taxes',
  rentTerms: 'Rent, the sentence',
  termRent: 'Rent, whole stay',
  termRentSum: 'Rent, how it adds up',
}

/** The label of the field at a path: `Owner phone` for `['ownerPhone']`. */
export function labelOf(path: readonly PropertyKey[]): string {
  const name = path.map(String).findLast(key => !/^\d+$/.test(key)) ?? ''
  const words = Object.hasOwn(labels, name)
    ? `${labels[name]}`
    : name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
