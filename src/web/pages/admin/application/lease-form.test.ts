import { expect, test } from 'vitest'
import { completeLines, completeTerms, leaseForm, typedLineOf } from './lease-form.ts'

const terms = {
  leaseStartDate: '2026-06-01',
  leaseEndDate: '2026-07-01',
  rentalAmount: 1800,
  depositAmount: 500,
}
const pet = { kind: 'fee', label: 'Pet fee', amountCents: '200', taxable: true } as const

test('converts extra lines from dollars to cents [CHG-09]', () => {
  const { extraLines } = leaseForm.parse({ ...terms, extraLines: [{ ...pet, amountCents: '12.5' }] })
  expect(extraLines).toEqual([{ ...pet, amountCents: 1250 }])
  expect(extraLines?.map(typedLineOf)).toEqual([{ ...pet, amountCents: '12.50' }])
})

test('reports a line without label or amount at its field, and leaves it out of the total', () => {
  const lines = [pet, { ...pet, label: ' ' }, { ...pet, amountCents: '0' }, { ...pet, amountCents: '1.234' }]
  expect(completeLines(lines)).toEqual([{ ...pet, amountCents: 20_000 }])
  const { error } = leaseForm.safeParse({ ...terms, extraLines: lines })
  expect(error?.issues.map(({ message, path }) => [path.join('.'), message])).toEqual([
    ['extraLines.1.label', 'A label is required'],
    ['extraLines.2.amountCents', 'Please enter a valid amount'],
    ['extraLines.3.amountCents', 'Please enter a valid amount'],
  ])
  expect(leaseForm.safeParse({ ...terms, extraLines: Array(11).fill(pet) }).success).toBe(false)
})

test('accepts terms only with two dates in order and both amounts', () => {
  expect(completeTerms(terms)).toEqual(terms)
  for (const missing of [
    { leaseStartDate: '' },
    { leaseEndDate: '2026-06-01' },
    { leaseEndDate: '2036-06-01' },
    { rentalAmount: null },
    { depositAmount: Number.NaN },
    { rentalAmount: -1 },
  ])
    expect(completeTerms({ ...terms, ...missing })).toBeUndefined()
})
