import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seed } from '../../testing/random.ts'
import { readGroup, readPhrase, recoveryPhrase } from './recovery-phrase.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const phrases = fc.uint8Array({ minLength: 28, maxLength: 28 }).map(recoveryPhrase)

test('a phrase is eight groups of four, read in any case, with spaces, and with O, I and L for 0 and 1 [INST-21]', () => {
  const phrase = recoveryPhrase(Uint8Array.from({ length: 28 }, (_, i) => i))
  expect(phrase).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){7}$/)
  const typed = phrase.toLowerCase().replaceAll('-', '  ').replaceAll('0', 'o').replaceAll('1', 'l')
  expect(readPhrase(typed)).toBe(phrase)
  expect(readGroup(' o1-iL')).toBe('0111')
  for (const wrong of ['', phrase.slice(1), `${phrase}0`, phrase.replace(/^./, 'U')])
    expect(readPhrase(wrong)).toBeUndefined()
  expect(() => recoveryPhrase(new Uint8Array(27))).toThrow()
})

test('every single mistyped character and every two swapped neighbors are noticed [INST-21]', () => {
  fc.assert(
    fc.property(phrases, phrase => {
      const text = readGroup(phrase)
      for (let i = 0; i < text.length; i++) {
        for (const other of alphabet)
          if (other !== text[i])
            expect(readPhrase(text.slice(0, i) + other + text.slice(i + 1))).toBeUndefined()
        const [a = '', b = ''] = [text[i], text[i + 1]]
        if (b !== '' && a !== b)
          expect(readPhrase(text.slice(0, i) + b + a + text.slice(i + 2))).toBeUndefined()
      }
    }),
    { seed, numRuns: 20 },
  )
})
