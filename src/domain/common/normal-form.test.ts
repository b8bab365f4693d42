import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { anyText } from '../../testing/any-text.ts'
import { toNormalForm } from './printable.ts'

/** Normalizing 200,000 characters of these as they are takes 19 seconds. */
const marks = (length: number) => `a${'\u0315'.repeat(length / 2)}${'\u0316'.repeat(length / 2)}`

test('normalizes a megabyte of any combining marks in linear time [FIX-19]', () => {
  // Without the limit on marks, this runs into the time limit of tests.
  for (const text of [marks(1_000_000), '\u0344'.repeat(1_000_000), '\u0315\u0316'.repeat(500_000)]) {
    expect(toNormalForm(text).length).toBeLessThan(40)
  }
})

test('changes nothing else, and is idempotent', () => {
  fc.assert(
    fc.property(anyText(), text => {
      expect(toNormalForm(text)).toBe(text.normalize('NFC'))
    }),
  )
  const unit = fc.constantFrom(
    'a',
    '\u0315',
    '\u0316',
    '\u0344',
    '\u0301',
    '\u1100',
    '\u1161',
    '\u09c7',
    '\u09be',
  )
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 200, size: 'max' }), text => {
      const once = toNormalForm(text)
      expect(toNormalForm(once)).toBe(once)
      expect(once.normalize('NFC')).toBe(once)
    }),
  )
})

test('no other file normalizes texts', () => {
  const files = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
  const normalizing = files.filter(
    file =>
      /(?<!\.test)\.tsx?$/.test(file) &&
      /\bnormalize\(/.test(readFileSync(join(projectRoot, 'src', file), 'utf8')),
  )
  expect(normalizing).toEqual(['domain/common/printable.ts'])
})
