import { expect, test } from 'vitest'
import { nightsBetween } from '../../../../domain/common/dates.ts'
import { completeLines, completeTerms, leaseForm, startingTerms, typedLineOf } from './lease-form.ts'

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

test('defaults to a 365-day lease from today, with $2,500 rent and a $500 deposit [CONST-02]', () => {
  const terms = startingTerms('2026-03-04')
  expect(terms).toEqual({
    leaseStartDate: '2026-03-04',
    leaseEndDate: '2027-03-04',
    rentalAmount: 2500,
    depositAmount: 500,
  })
  expect(nightsBetween(terms.leaseStartDate, terms.leaseEndDate) * 86_400_000).toBe(31_536_000_000)
})

test('uses the first source that has a term, even if the value is 0 [CONST-02]', () => {
  expect(
    startingTerms(
      '2026-03-04',
      undefined,
      { rentalAmount: 0, leaseStartDate: null },
      {
        leaseStartDate: '2026-06-01',
        leaseEndDate: '2026-07-01',
        rentalAmount: 99,
      },
    ),
  ).toEqual({
    leaseStartDate: '2026-06-01',
    leaseEndDate: '2026-07-01',
    rentalAmount: 0,
    depositAmount: 500,
  })
})
