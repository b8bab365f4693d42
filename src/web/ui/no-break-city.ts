/** Makes city, state and ZIP of a one-line address non-breaking. */
export function noBreakCity(address: string): string {
  return address.replace(/[^,]+,[^,]*\d[^,]*$/, city => ` ${city.trim().replaceAll(' ', '\u00a0')}`).trim()
}
