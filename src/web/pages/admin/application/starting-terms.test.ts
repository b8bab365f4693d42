import { expect, test } from 'vitest'
import { nightsBetween } from '../../../../domain/common/dates.ts'
import { startingTerms } from './starting-terms.ts'

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
