import { maxAmountCents } from '../../../domain/common/money.ts'

/** Parses a typed dollar amount to cents; undefined unless it is a plain number with at most two decimals. */
export function parseDollars(text: string): number | undefined {
  if (!/^(\d+(\.\d{0,2})?|\.\d{1,2})$/.test(text.trim())) return undefined
  const cents = Math.round(Number(text) * 100)
  return cents <= maxAmountCents ? cents : undefined
}

/** Formats cents as the value of an amount field: `2500`, `2750.50`. */
export function toDollarText(cents: number): string {
  return cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2)
}

type Typed = string | number | null | undefined

const isEmpty = (text: Typed) => text === '' || text === null || text === undefined

/** Registers a money field whose schema takes dollars; an empty field is null. */
export const asDollars = { setValueAs: (text: Typed) => (isEmpty(text) ? null : Number(text)) }

/** Registers a money field whose schema takes cents. More than two decimals become NaN, so that nothing is rounded. */
export const asCents = {
  setValueAs: (text: Typed) => (isEmpty(text) ? undefined : (parseDollars(String(text)) ?? Number.NaN)),
}

/** The same as `asCents`, but an emptied field is no amount either, where a missing one stands for the proposed amount. */
export const asNeededCents = { setValueAs: (text: Typed) => asCents.setValueAs(text) ?? Number.NaN }

/** The same as `asCents`, but the amount may be negative. */
export const asSignedCents = {
  setValueAs: (text: Typed) => {
    const typed = String(text ?? '').trim()
    const cents = asCents.setValueAs(typed.replace(/^-/, ''))
    return typed.startsWith('-') && cents !== undefined ? -cents : cents
  },
}
