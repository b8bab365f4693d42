import { parseDollars, toDollarText } from '../../../features/payments/dollar-amount.ts'

// The forms contain what was typed: amounts in dollars, rates in percent, empty text if not set.

/** Converts dollars to cents, or percent to basis points; an empty text is null. */
export const hundredths = (text: string) => (text.trim() === '' ? null : (parseDollars(text) ?? Number.NaN))
export const count = (text: string) => (text.trim() === '' ? null : Number(text))

export const textOf = (value: number | string | null) => String(value ?? '')
export const hundredthsText = (value: number | null) => (value === null ? '' : toDollarText(value))
