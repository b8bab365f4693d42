/** A count with its noun: `1 night`, `3 nights`, `2 people`. */
export function plural(count: number, singular: string, many = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : many}`
}
