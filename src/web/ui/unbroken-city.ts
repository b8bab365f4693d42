/** An address in one line whose city, state and ZIP stay on one line where it has to break. */
export function unbrokenCity(address: string): string {
  return address.replace(/[^,]+,[^,]*\d[^,]*$/, city => ` ${city.trim().replaceAll(' ', '\u00a0')}`).trim()
}
