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

/**
 * Code points up to U+2C7F in hex that the lease's font (Noto Serif) can draw; a test compares them with the font
 * files. Combining marks are excluded, because the PDF cannot position them; in NFC the common ones are part of their
 * letter.
 */
const printableRanges = (
  '20-7e a0-ac ae-2ff 370-373 375-377 37a-37d 37f 384-386 388-38a 38c 38e-3a1 3a3-3e1 3f0-482 48a-52f 10fb ' +
  '1c80-1c88 1d00-1dbf 1e00-1f15 1f18-1f1d 1f20-1f45 1f48-1f4d 1f50-1f57 1f59 1f5b 1f5d 1f5f-1f70 1f72 1f74 1f76 ' +
  '1f78 1f7a 1f7c 1f80-1fb4 1fb6-1fba 1fbc-1fbd 1fbf-1fc4 1fc6-1fc8 1fca 1fcc-1fd2 1fd6-1fda 1fdd-1fe2 1fe4-1fea ' +
  '1fec-1fed 1ff2-1ff4 1ff6-1ff8 1ffa 1ffc 1ffe 2002-200a 2010-2027 202f-205f 2070-2071 2074-208e 2090-209c ' +
  '20a0-20c0 2100-2125 2127-2129 212c-215f 2183-2184 2189 2212 25cc 2c60-2c7f'
)
  .split(' ')
  .map(range => range.split('-').map(hex => Number.parseInt(hex, 16)))

/** Whether the lease PDF can draw a line of text; line breaks and control characters are not printable. */
export function isPrintable(text: string): boolean {
  return unprintable(text).length === 0
}

/** The message for an unprintable text; names up to five characters. */
export function unprintableMessage(text: string): string {
  const visible = [...new Set(unprintable(text))].filter(char => !/[\p{C}\p{M}\p{Z}]/u.test(char)).slice(0, 5)
  const named =
    visible.length > 0 ? `cannot print ${visible.join(' ')}` : 'cannot print some of these characters'
  return `Please use Latin, Greek or Cyrillic letters: the lease ${named}`
}

/** For texts that a lease contains: `z.string().refine(...printableText)`. */
export const printableText = [
  isPrintable,
  { error: ({ input }: { input?: unknown }) => unprintableMessage(String(input)) },
] as const

/** The text as one printable line: NFC, single spaces, `?` for unprintable characters. */
export function toPrintableLine(text: string): string {
  const line = toNormalForm(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
  return replaceUnprintable(line).trim()
}

/** The text with `?` for every unprintable character, including line breaks. */
export function replaceUnprintable(text: string): string {
  return [...toNormalForm(text)].map(char => (inFont(char) ? char : '?')).join('')
}

const unprintable = (text: string): string[] => [...toNormalForm(text)].filter(char => !inFont(char))

function inFont(char: string): boolean {
  const code = char.codePointAt(0) ?? 0
  return printableRanges.some(([first = 0, last = first]) => first <= code && code <= last)
}
