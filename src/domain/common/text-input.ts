import { z } from 'zod'
import { printableText } from './printable.ts'

/** One line of text in NFC that a lease can print. */
export const line = (max: number, requiredMessage = 'This value is not valid') =>
  z
    .string({ error: requiredMessage })
    .trim()
    .normalize('NFC')
    .max(max, `Please use at most ${max} characters`)
    .refine(...printableText)

/** The same, but required. */
export const requiredLine = (max: number, message: string) => line(max, message).min(1, message)
