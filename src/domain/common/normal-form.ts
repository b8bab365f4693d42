/** More combining marks in a row are in no language, and Unicode's stream-safe format allows no more. */
const manyMarks = /(\p{M}{30})\p{M}+/gu

/**
 * The text in a Unicode normal form, in time proportional to its length: putting marks in order takes the square of
 * their number, so those after the thirtieth in a row are dropped. All other code normalizes with this function.
 */
export function toNormalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' = 'NFC'): string {
  // Also afterwards, because some marks become two.
  return text.replace(manyMarks, '$1').normalize(form).replace(manyMarks, '$1')
}
