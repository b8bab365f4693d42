import { expect, test } from 'vitest'
import { fittingFontPx } from './typed-signature.tsx'

const letters = (count: number) => (fontPx: number) => count * fontPx * 0.5

test.each([
  { name: 'short', width: letters(8), px: 72 },
  { name: 'exactly as wide as fits', width: letters(15), px: 72 },
  { name: 'a little too wide', width: letters(16), px: 67 },
  { name: 'just fits the smallest letters', width: letters(25.7), px: 42 },
  { name: 'far too wide', width: letters(200), px: 42 },
])('a typed name of 72 px shrinks to fit 540 px, but not below 42 px: $name [SIGN-10]', ({ width, px }) => {
  expect(fittingFontPx(width)).toBe(px)
})
