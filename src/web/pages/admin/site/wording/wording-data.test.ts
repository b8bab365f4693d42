import { expect, test } from 'vitest'
import { lineAt, lineOfError, rangeOfLine } from '../lease-tab.tsx'
import { initialDraft, partitionErrors } from './wording-data.ts'

const saved = { version: 3, body: { subject: 'Hello', text: 'Welcome.' } }

test('restores unsaved text on top of the version that it is based on', () => {
  expect(initialDraft(saved, { version: 2, body: { subject: 'Hi', text: 'Welcome.' } })).toEqual({
    version: 2,
    body: { subject: 'Hi', text: 'Welcome.' },
    restored: true,
  })
})

test.each([
  null,
  undefined,
  'text',
  {},
  { version: 2 },
  { version: '2', body: { subject: 'Hi' } },
  { version: 2, body: null },
  { version: 2, body: { subject: 7, other: 'Hi' } },
  { version: 2, body: saved.body },
])('starts with the saved wording if a copy contains no other text: %j', copy => {
  expect(initialDraft(saved, copy)).toEqual({ ...saved, restored: false })
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
