import { expect, test } from 'vitest'
import { inYear, noLease, pleaseSecure, secureSentence, toSecure, unsigned } from './offer-words.ts'
import { afterAccepting, signInTime } from './securing.ts'

test('a guest who accepted is reminded until the deadline, then reads that the payment is being checked [CLAIM-26]', () => {
  const unpaid = '$500.00 of the deposit is not paid.'
  const on = (today: string, missing = [unsigned, unpaid]) =>
    secureSentence(missing, '2026-03-08T05:00:00.000Z', { today, timeZone: 'America/New_York' })
  expect(on('2026-03-07')).toBe('Please sign the lease and pay the deposit by Mar 7, 2026.')
  expect(on('2026-03-07', [unpaid])).toBe('Please pay the deposit by Mar 7, 2026.')
  expect(toSecure([unsigned])).toBe('sign the lease')
  expect(on('2026-03-07', [noLease, unpaid])).toBe('Please pay the deposit by Mar 7, 2026.')
  expect([on('2026-03-07', [noLease]), pleaseSecure([])]).toEqual([noLease, ''])
  expect(on('2026-03-07', [])).toBe('We are checking your payment.')
  expect(on('2026-03-08')).toBe('We are checking your payment.')
})

test('the year of promised dates reads ’next year’ or ’in 2028’ [CLAIM-28]', () => {
  const years = ['2026-12-31', '2027-01-01', '2028-09-01'].map(date => inYear(date, '2026-03-04'))
  expect(years).toEqual(['in 2026', 'next year', 'in 2028'])
})

test('before accepting, a guest reads by when to sign and pay and that the booking lapses, as long as there is a deadline [CLAIM-25]', () => {
  const offer = { startDate: '2026-08-03', secureDays: 3, depositCents: 500_00 }
  expect(afterAccepting(offer, '2026-03-04')).toBe(
    'After accepting, please sign the lease and pay the $500.00 deposit within 3 days, or the booking lapses.',
  )
  expect(afterAccepting({ ...offer, depositCents: 0 }, '2026-08-01')).toBe(
    'After accepting, please sign the lease by Aug 3, 2026, or the booking lapses.',
  )
  expect(afterAccepting({ ...offer, secureDays: 0 }, '2026-03-04')).toBeUndefined()
})

test('the step to sign says until when, and what happens then [CLAIM-25, CLAIM-26]', () => {
  expect(signInTime(500_00, '2026-03-07', '2026-03-07')).toBe(
    'Please sign it and pay the $500.00 deposit by Mar 7, 2026, or the booking lapses.',
  )
  expect(signInTime(500_00, '2026-03-07', '2026-03-08')).toBe('We are checking your payment.')
})
