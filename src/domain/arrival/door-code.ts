import { z } from 'zod'

/** How many earlier codes of a lock are not drawn again. */
export const rememberedCodes = 20

const codeMessage = 'Please enter 2 to 16 digits, letters, * or #'
export const typedCode = z
  .string({ error: codeMessage })
  .trim()
  .regex(/^[0-9A-Za-z*#]{2,16}$/, codeMessage)

export const passwordMessage = 'Please enter 8 to 63 letters, digits or signs'
export const noPasswordMessage = 'An open network has no password'
export const unreadableMessage = 'The password cannot be read at the moment. Please enter it again.'
export const isWifiPassword = (given: string): boolean => /^[ -~]{8,63}$/.test(given)

/** Whether somebody trying codes would try this one early: a repeat, a run up or down, or a year (STAY-17). */
export function isGuessable(code: string): boolean {
  const steps = [...code].slice(1).map((digit, at) => Number(digit) - Number(code[at]))
  if ([0, 1, -1].some(step => steps.every(each => each === step))) return true
  return code >= '1900' && code <= '2099' && code.length === 4
}

const maxDraws = 1000

/**
 * A code that is hard to guess and not among `taken`, nor `written` in a text unless texts name nearly all codes.
 * @param randomDigit a random number from 0 to 9
 */
export function drawCode(
  digits: number,
  taken: readonly string[],
  written: readonly string[],
  randomDigit: () => number,
): string {
  const avoided = new Set(written)
  for (let draws = 1; ; draws++) {
    const code = Array.from({ length: digits }, randomDigit).join('')
    if (isGuessable(code) || taken.includes(code)) continue
    if (draws > maxDraws || !avoided.has(code)) return code
  }
}

/** Whether a text has a secret as a word of its own, in capitals or not (STAY-04). */
export function containsWord(given: string, typed: string): boolean {
  const [text, secret] = [given.toLowerCase(), typed.toLowerCase()]
  const isPartOfWord = (character: string | undefined) => /[\p{L}\p{N}]/u.test(character ?? '')
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1))
    if (!isPartOfWord(text[at - 1]) && !isPartOfWord(text[at + secret.length])) return true
  return false
}

/** What the QR picture of a Wi-Fi network says (STAY-24). */
export function wifiQrText(network: string, password: string | null): string {
  const quote = (text: string) => text.replace(/[\\;,:"]/g, '\\$&')
  return password === null
    ? `WIFI:T:nopass;S:${quote(network)};;`
    : `WIFI:T:WPA;S:${quote(network)};P:${quote(password)};;`
}
