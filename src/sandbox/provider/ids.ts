import { randomInt } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A random id in the provider's format. A session's id is also the secret in its page's URL. */
export function newId(prefix: string, length = 23): string {
  return prefix + Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
