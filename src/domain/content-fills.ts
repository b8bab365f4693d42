/** What a text with placeholders may ask for, as `{companyName}`. */
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

/** Whether a text with placeholders may ask for it. */
export const isFillName = (name: string): name is FillName => (fillNames as readonly string[]).includes(name)

/** The first placeholder of a text that nothing is known for (SITE-07). */
export function firstUnknownFill(text: string): string | undefined {
  return [...text.matchAll(pattern)].map(([, name = '']) => name).find(name => !isFillName(name))
}

/** The values of all placeholders; `cardFeeBasisPoints` are hundredths of a percent. */
export function fillsOf(site: Omit<Fills, 'cardFee'>, cardFeeBasisPoints: number): Fills {
  const { companyName, ownerEmail, ownerPhone, propertyAddress, propertyName } = site
  const cardFee = `${cardFeeBasisPoints / 100}%`
  return { companyName, propertyName, propertyAddress, ownerEmail, ownerPhone, cardFee }
}

/** The text with its placeholders filled in, in one pass: a value is never taken for a placeholder. */
export function fillText(text: string, fills: Fills): string {
  return text.replace(pattern, (whole, name: string) => (isFillName(name) ? fills[name] : whole))
}

/** A text cut at its placeholders, for those who show a value in another way than as text. */
export function splitAtFills(text: string): ({ text: string; fill?: undefined } | { fill: FillName })[] {
  return text
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map(part => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1] ?? ''
      return isFillName(name) ? { fill: name } : { text: part }
    })
}
