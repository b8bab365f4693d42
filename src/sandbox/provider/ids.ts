import { randomInt } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const lengths = {
  cs_test_a1: 58,
  pi_3: 23,
  ch_3: 23,
  py_3: 23,
  re_3: 23,
  evt_1: 23,
  du_1: 23,
  pm_1: 23,
  li_1: 23,
  price_1: 23,
  prod_: 14,
  req_: 14,
} as const

/** A random id with the provider's prefix and length; a session's id is also the secret that opens its page. */
export function newId(prefix: keyof typeof lengths): string {
  return prefix + Array.from({ length: lengths[prefix] }, () => alphabet[randomInt(alphabet.length)]).join('')
}
