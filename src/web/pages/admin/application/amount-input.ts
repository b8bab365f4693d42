import { parseDollars } from '../../../features/payments/dollar-amount.ts'

/** What a money field holds, as the shared schemas want it: dollars; nothing when it is empty. */
export const asDollars = {
  setValueAs: (text: string | number | null | undefined) =>
    text === '' || text === null || text === undefined ? null : Number(text),
}

/** The same in cents; what is no plain amount of at most two decimals is refused, not rounded. */
export const asCents = {
  setValueAs: (text: string | number | null | undefined) =>
    text === '' || text === null || text === undefined
      ? undefined
      : (parseDollars(String(text)) ?? Number.NaN),
}
