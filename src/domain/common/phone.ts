/** A phone number without its spaces, dashes and parentheses. */
export function bareNumber(phone: string): string {
  return phone.replace(/[\s\-()]/g, '')
}

/** An optional plus and 1 to 16 digits, the first of which is not 0. */
export function isPhone(phone: string): boolean {
  return /^\+?[1-9]\d{0,15}$/.test(bareNumber(phone))
}

/**
 * Formats for display: 10 digits as xxx-xxx-xxxx, 11 that begin with 1 as +1-xxx-xxx-xxxx, anything else as entered.
 */
export function formatPhone(phone: string): string {
  const digits = bareNumber(phone).replace(/^\+(?=1\d{10}$)/, '')
  const [, country, area, exchange, line] = /^(1?)(\d{3})(\d{3})(\d{4})$/.exec(digits) ?? []
  if (!area) return phone
  return `${country ? '+1-' : ''}${area}-${exchange}-${line}`
}
