import { expect, test } from 'vitest'
import { deadlineText, statementText, wayText } from './deposit-view.ts'

const card = { by: 'card', cardBrand: 'visa', cardLast4: '4242' } as const
const bank = { by: 'bank', cardBrand: null, cardLast4: '6789' } as const
const hand = { by: 'hand', cardBrand: null, cardLast4: null } as const

test.each([
  [{ ...card, feeCents: 11_40 }, '$380.00 to Visa ending in 4242, with $11.40 of the card fee'],
  [{ ...card, cardBrand: null, cardLast4: null }, '$380.00 to Card'],
  [bank, '$380.00 to the bank account ending in 6789'],
  [{ ...bank, cardLast4: null }, '$380.00 to the bank account'],
  [hand, '$380.00 by check or transfer'],
  [{ ...hand, checkNumber: '1042' }, '$380.00 by check 1042'],
])('says how money goes back: %j [DEP-29, DEP-30]', (way, words) => {
  expect(wayText({ amountCents: 380_00, feeCents: 0, ...way })).toBe(words)
})

test.each([
  [5, 'Return it or send a statement by Jun 16, 2026 · 5 days left'],
  [1, 'Return it or send a statement by Jun 16, 2026 · 1 day left'],
  [0, 'Return it or send a statement by Jun 16, 2026 · last day today'],
  [-2, 'Return it or send a statement by Jun 16, 2026 · 2 days late'],
])('says how long it is to a date, with %i days [DEP-12]', (daysLeft, words) => {
  expect(deadlineText({ kind: 'return', date: '2026-06-16', daysLeft }, 0)).toBe(words)
})

test('names a statement with its way and tracking number [DEP-22]', () => {
  const rest = {
    id: 's',
    counts: true,
    letterId: null,
    claimedCents: 1,
    sha256: '',
    objection: null,
    agreedAt: null,
  }
  const sent = { ...rest, number: 1, sentOn: '2026-06-05' }
  expect(statementText({ ...sent, how: 'post', trackingNumber: '9407' })).toBe(
    'Statement 1, sent by post on Jun 5, 2026, number 9407',
  )
  expect(statementText({ ...sent, how: 'email', trackingNumber: '' })).toBe(
    'Statement 1, sent by email on Jun 5, 2026',
  )
})
