import { expect, test } from 'vitest'
import { paymentStatuses } from '../../../domain/money/ledger.ts'
import { paidWith, paymentStatusTones } from './payment-cells.tsx'
import { statusNote } from './payment-view.ts'

const card = { providerMethod: 'card', cardBrand: 'visa', cardLast4: '4242', checkNumber: '' } as const
const bank = { ...card, providerMethod: 'us_bank_account', cardBrand: 'us_bank_account' } as const
const byHand = { providerMethod: null, cardBrand: null, cardLast4: null }

test('shows what a payment was made with, as far as it is known [BANK-08]', () => {
  expect(paidWith(card)).toBe('Visa •••• 4242')
  expect(paidWith({ ...bank, cardLast4: '6789' })).toBe('Bank account •••• 6789')
  expect(paidWith({ ...bank, cardBrand: null, cardLast4: null })).toBe('Bank account')
  expect(paidWith({ ...card, cardBrand: null, cardLast4: null })).toBe('')
  expect(paidWith({ ...byHand, checkNumber: '17' })).toBe('Check 17')
})

test('a checkout that was left says that nothing was charged, money to give back by hand does not', () => {
  const note = (amount: number, status: 'pending' | 'failed') =>
    statusNote({ amount, status, failureReason: status === 'failed' ? 'Card declined' : null })
  expect(note(500_00, 'pending')).toBe('Started, not finished.')
  expect(note(-500_00, 'pending')).toBeNull()
  expect(note(500_00, 'failed')).toBe('Card declined')
})

test('each payment status has the color from the spec [STATUS-05]', () => {
  expect(paymentStatuses.map(status => paymentStatusTones[status])).toEqual([
    'green',
    'yellow',
    'green',
    'red',
    'neutral',
    'neutral',
    'neutral',
    'red',
  ])
})
