import { expect, test } from 'vitest'
import { cardBrandLabel, shortTransactionId } from './payment.ts'

test('shows the last 8 characters of the transaction, or N/A without one', () => {
  expect(shortTransactionId('pi_3SaTZ2LkdIwHu7ix')).toBe('dIwHu7ix')
  expect(shortTransactionId(null)).toBe('N/A')
})

test('spells each card brand correctly', () => {
  expect(['visa', 'amex', 'us_bank_account', 'cartes_bancaires'].map(cardBrandLabel)).toEqual([
    'Visa',
    'American Express',
    'Bank account',
    'Cartes bancaires',
  ])
})
