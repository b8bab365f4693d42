import { parseDollars } from '../../../features/payments/dollar-amount.ts'

type Typed = string | number | null | undefined

const isEmpty = (text: Typed) => text === '' || text === null || text === undefined

/** Registers a money field whose schema takes dollars; an empty field is null. */
export const asDollars = { setValueAs: (text: Typed) => (isEmpty(text) ? null : Number(text)) }

/** Registers a money field whose schema takes cents. More than two decimals become NaN, so that nothing is rounded. */
export const asCents = {
  setValueAs: (text: Typed) => (isEmpty(text) ? undefined : (parseDollars(String(text)) ?? Number.NaN)),
}

/** The same as `asCents`, but the amount may be negative. */
export const asSignedCents = {
  setValueAs: (text: Typed) => {
    const typed = String(text ?? '').trim()
    const cents = asCents.setValueAs(typed.replace(/^-/, ''))
    return typed.startsWith('-') && cents !== undefined ? -cents : cents
  },
}
