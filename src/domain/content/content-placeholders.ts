/** Placeholders that a template may use, such as `{companyName}`. */
export const placeholderNames = [
  'companyName',
  'propertyName',
  'propertyAddress',
  'ownerEmail',
  'ownerPhone',
  'cardFee',
] as const
export type PlaceholderName = (typeof placeholderNames)[number]
export type PlaceholderValues = Record<PlaceholderName, string>

const pattern = /\{(\w+)\}/g

/** Whether a template may use this placeholder. */
const isPlaceholderName = (name: string): name is PlaceholderName =>
  (placeholderNames as readonly string[]).includes(name)

/** The first unknown placeholder of a text, or undefined (SITE-07). */
export function firstUnknownPlaceholder(text: string): string | undefined {
  return [...text.matchAll(pattern)].map(([, name = '']) => name).find(name => !isPlaceholderName(name))
}

/** The values of all placeholders. `cardFeeBasisPoints` is in basis points. */
export function placeholderValues(
  site: Omit<PlaceholderValues, 'cardFee'>,
  cardFeeBasisPoints: number,
): PlaceholderValues {
  const { companyName, ownerEmail, ownerPhone, propertyAddress, propertyName } = site
  const cardFee = `${cardFeeBasisPoints / 100}%`
  return { companyName, propertyName, propertyAddress, ownerEmail, ownerPhone, cardFee }
}

/** Fills in the placeholders in one pass, so that a value is never treated as a placeholder. */
export function interpolate(text: string, values: PlaceholderValues): string {
  return text.replace(pattern, (whole, name: string) => (isPlaceholderName(name) ? values[name] : whole))
}

/** Splits a text at its placeholders, for callers that render a value other than as text. */
export function splitAtPlaceholders(
  text: string,
): ({ text: string; placeholder?: undefined } | { placeholder: PlaceholderName })[] {
  return text
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map(part => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1] ?? ''
      return isPlaceholderName(name) ? { placeholder: name } : { text: part }
    })
}
