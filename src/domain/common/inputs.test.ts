import { expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { passkeyForm } from '../accounts/account-safety-form.ts'
import { feedForm } from '../calendars/calendar-feed.ts'
import { lineField, textField } from '../content/content-text.ts'
import { signLeaseInput } from '../leases/lease-signing-form.ts'
import { calendarDate, line, pastDate } from './inputs.ts'

test('the length of a text is counted in NFC, in whatever form it was typed', () => {
  expect(line(3).safeParse(`  ${'u\u0308\u0304'.repeat(3)} `)).toMatchObject({ data: 'ǖǖǖ' })
  expect(line(3).safeParse('e\u0301'.repeat(4)).error?.issues).toMatchObject([
    { message: 'Please use at most 3 characters' },
  ])
})

const tooLong = 'Please use at most 100 characters'
const inField = (schema: { shape: Record<string, z.ZodType> }, field: string): z.ZodType => {
  const found = schema.shape[field]
  if (!found) throw new Error(`no field ${field}`)
  return found
}
test.each<[string, z.ZodType, string]>([
  ['a line', line(100), tooLong],
  ['a typed signature', inField(signLeaseInput, 'typedName'), 'Please use at most 200 characters'],
  ['the name of a passkey', inField(passkeyForm, 'name'), 'Please use 1 to 60 characters'],
  ['the name of a calendar', inField(feedForm, 'name'), 'Please use at most 60 characters'],
  ['a line of the content', lineField(160), ' can be at most 160 characters long'],
  ['a text of the content', textField(6000), ' can be at most 6,000 characters long'],
])('refuses %s that is much too long without normalizing it [FIX-19]', (_name, schema, message) => {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  for (const text of ['王'.repeat(100_000), `a${'\u0315'.repeat(50_000)}${'\u0316'.repeat(50_000)}`]) {
    const issues = schema.safeParse(text).error?.issues
    expect(issues?.map(issue => issue.message)).toEqual([message])
  }
  expect(normalize).not.toHaveBeenCalled()
})

test('a date that somebody enters is in this century or the next [CONST-04]', () => {
  for (const schema of [calendarDate(), pastDate()]) {
    expect(schema.safeParse('2199-12-31').success).toBe(true)
    const { error } = schema.safeParse('2200-01-01')
    expect(error?.issues).toMatchObject([{ message: 'Please enter a date of Dec 31, 2199 or earlier' }])
    expect(schema.safeParse('x').error?.issues).toMatchObject([{ message: 'Please enter a valid date' }])
  }
})
