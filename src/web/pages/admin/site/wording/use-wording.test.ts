import { expect, test } from 'vitest'
import { lineAt, lineOfError, rangeOfLine } from '../lease-tab.tsx'
import { isBodyLike, partitionErrors } from './use-wording.ts'

test('restores only a copy that has the texts of all fields', () => {
  const like = { subject: 'Hello', text: 'Welcome.' }
  expect(isBodyLike({ text: 'Hi', subject: '' }, like)).toBe(true)
  for (const other of [
    null,
    'text',
    {},
    { text: 'Hi' },
    { subject: 7, text: 'Hi' },
    { ...like, other: 'Hi' },
  ])
    expect(isBodyLike(other, like)).toBe(false)
})

test('joins the errors of fields that the editor does not show into one text', () => {
  expect(partitionErrors({ text: 'A', body: 'B', version: 'C' }, ['subject', 'text'])).toEqual({
    atFields: { text: 'A' },
    elsewhere: 'B C',
  })
})

test('an error leads to the line that it names [LTEXT-01]', () => {
  const text = 'one\n\nthree {{'
  expect(lineOfError('Line 3 of the lease template has double braces.')).toBe(3)
  expect(lineOfError('The lease template lacks the placeholder {{Line 3}}.')).toBeUndefined()
  const range = rangeOfLine(text, 3)
  expect(text.slice(range?.start, range?.end)).toBe('three {{')
  expect(rangeOfLine(text, 2)).toEqual({ start: 4, end: 4 })
  expect(rangeOfLine(text, 4)).toBeUndefined()
  expect([0, 3, 4, 5, text.length].map(position => lineAt(text, position))).toEqual([1, 1, 2, 3, 3])
})
