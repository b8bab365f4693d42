/** Placeholders that a template may use, such as `{companyName}`. */
export const fillNames = [
  'companyName',
  'propertyName',
  'propertyAddress',
  'ownerEmail',
  'ownerPhone',
  'cardFee',
] as const
export type FillName = (typeof fillNames)[number]
export type Fills = Record<FillName, string>

const pattern = /\{(\w+)\}/g

/** Whether a template may use this placeholder. */
export const isFillName = (name: string): name is FillName => (fillNames as readonly string[]).includes(name)

/** The first unknown placeholder of a text, or undefined (SITE-07). */
export function firstUnknownFill(text: string): string | undefined {
  return [...text.matchAll(pattern)].map(([, name = '']) => name).find(name => !isFillName(name))
}

/** The values of all placeholders. `cardFeeBasisPoints` is in basis points. */
export function fillsOf(site: Omit<Fills, 'cardFee'>, cardFeeBasisPoints: number): Fills {
  const { companyName, ownerEmail, ownerPhone, propertyAddress, propertyName } = site
  const cardFee = `${cardFeeBasisPoints / 100}%`
  return { companyName, propertyName, propertyAddress, ownerEmail, ownerPhone, cardFee }
}

/** Fills in the placeholders in one pass, so that a value is never treated as a placeholder. */
export function fillText(text: string, fills: Fills): string {
  return text.replace(pattern, (whole, name: string) => (isFillName(name) ? fills[name] : whole))
}

/** Splits a text at its placeholders, for callers that render a value other than as text. */
export function splitAtFills(text: string): ({ text: string; fill?: undefined } | { fill: FillName })[] {
  return text
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map(part => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1] ?? ''
      return isFillName(name) ? { fill: name } : { text: part }
    })
}
