/** A count with its noun: `1 night`, `3 nights`. For nouns whose plural only adds an s. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
