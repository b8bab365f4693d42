/** `Seabright Beach, FL` of `120 Ocean Walk, Unit 2B, Seabright Beach, FL 32000`: without the street, which only guests see. */
export const townOf = (address: string): string =>
  address
    .split(',')
    .slice(1)
    .slice(-2)
    .join(',')
    .replace(/\s+\d{5}(-\d{4})?\s*$/, '')
    .trim()
