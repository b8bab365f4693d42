import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { jsPDF } from 'jspdf'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { anyText } from '../../testing/any-text.ts'
import {
  isPrintable,
  printableText,
  replaceUnprintable,
  toPrintableLine,
  unprintableMessage,
} from './printable.ts'

const require = createRequire(import.meta.url)

/** The code points for which the PDF library finds a glyph. */
function glyphsOf(file: string): Set<number> {
  const pdf = new jsPDF()
  const path = require.resolve(`@expo-google-fonts/noto-serif/${file}`)
  pdf.addFileToVFS('font.ttf', readFileSync(path, 'latin1'))
  pdf.addFont('font.ttf', 'Font', 'normal')
  pdf.setFont('Font', 'normal')
  const { codeMap } = pdf.getFont().metadata.cmap.unicode as { codeMap: Record<string, number> }
  return new Set(
    Object.entries(codeMap)
      .filter(([, glyph]) => glyph > 0)
      .map(([code]) => Number(code)),
  )
}

test('printable characters are those in both weights of the font, except combining marks and invisible characters', () => {
  const fonts = ['400Regular/NotoSerif_400Regular.ttf', '600SemiBold/NotoSerif_600SemiBold.ttf'].map(glyphsOf)
  const wrong = Array.from({ length: 0x2c80 }, (_, code) => code).filter(code => {
    const char = String.fromCodePoint(code)
    if (char.normalize('NFC') !== char) return false
    const expected = fonts.every(font => font.has(code)) && !/[\p{C}\p{M}\p{Zl}\p{Zp}]/u.test(char)
    return isPrintable(char) !== expected
  })
  expect(wrong.map(code => code.toString(16))).toEqual([])
})

test.each([
  'José Núñez',
  'Łukasz Żółć',
  'Nguyễn Thị Hằng',
  'Αγγελική Παπαδοπούλου',
  'Ἀριστοτέλης',
  'Юлія Ґалаґан',
  'Đorđe Šćepanović',
  'Əli Həsənov',
  'Kaʻiulani',
  "O'Brien-Sørensen",
  'Þórður Ægisson',
  'Jose\u0301',
  '№ 5 – €20',
])('%s can be printed', name => {
  expect(isPrintable(name)).toBe(true)
})

test.each(['王小明', 'محمد', 'שרה', 'สมชาย', 'Anna 🏖', 'a\nb', 'a\u0000b', 'a\u202eb', 'q\u0301'])(
  '%j cannot be printed',
  name => {
    expect(isPrintable(name)).toBe(false)
  },
)

test('the message says what to do and names the characters', () => {
  expect(unprintableMessage('王小 Li')).toBe(
    'Please use Latin, Greek or Cyrillic letters: the lease cannot print 王 小',
  )
  expect(unprintableMessage('a\u202eb')).toBe(
    'Please use Latin, Greek or Cyrillic letters: the lease cannot print some of these characters',
  )
  const result = z
    .string()
    .refine(...printableText)
    .safeParse('王')
  expect(result.error?.issues[0]?.message).toBe(unprintableMessage('王'))
  expect(
    z
      .string()
      .refine(...printableText)
      .safeParse('Zoë').success,
  ).toBe(true)
})

test('turns any text into one printable line', () => {
  fc.assert(
    fc.property(anyText(), text => {
      expect(isPrintable(toPrintableLine(text))).toBe(true)
      expect(isPrintable(replaceUnprintable(text))).toBe(true)
    }),
  )
  expect(toPrintableLine('  Anna\r\n\tMaria\u2028王\u200b ')).toBe('Anna Maria ?')
})
