import { dollarsToCents } from '../../../../domain/money.ts'

/** What a money field holds, as the shared schemas want it: dollars; nothing when it is empty. */
export const asDollars = {
  setValueAs: (text: string | number | null) =>
    text === '' || text === null || text === undefined ? null : Number(text),
}

/** The same in cents; more than two decimals are no amount, instead of being rounded away. */
export const asCents = {
  setValueAs: (text: string | number | null) => {
    if (text === '' || text === null || text === undefined) return undefined
    const dollars = Number(text)
    return Number(dollars.toFixed(2)) === dollars ? dollarsToCents(dollars) : Number.NaN
  },
}
