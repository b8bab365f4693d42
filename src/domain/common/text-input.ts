import { z } from 'zod'
import { toNormalForm } from './normal-form.ts'
import { printableText } from './printable.ts'

/** How many times as long as in NFC a text can be as typed. */
const longestForm = 4

/** A trimmed text in NFC. A longer one is refused before anything reads it. */
export const boundedText = (
  max: number,
  requiredMessage = 'This value is not valid',
  tooLongMessage = `Please use at most ${max} characters`,
) =>
  z
    .string({ error: requiredMessage })
    .max(max * longestForm, { error: tooLongMessage, abort: true })
    .trim()
    .overwrite(text => toNormalForm(text))
    .max(max, { error: tooLongMessage, abort: true })

/** One line of text in NFC that a lease can print. */
export const line = (max: number, requiredMessage?: string) =>
  boundedText(max, requiredMessage).refine(...printableText)

/** The same, but required. */
export const requiredLine = (max: number, message: string) => line(max, message).min(1, message)
