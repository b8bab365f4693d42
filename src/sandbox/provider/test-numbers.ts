import { testAccounts } from '../../domain/accounts/test-accounts.ts'

export type Decline = { code: string; message: string }
/**
 * A payment method. `failure` happens at once for a card, and later for a bank transfer unless `failsAtOnce`. With
 * `isReturned`, a transfer settles and the bank returns it afterwards.
 */
export type Method = {
  type: 'card' | 'us_bank_account'
  brand?: string
  last4: string
  failure?: Decline
  failsAtOnce?: boolean
  isReturned?: boolean
}

const cardDeclined = { code: 'card_declined', message: 'Your card was declined.' }
const cardInsufficientFunds = { code: 'card_declined', message: 'Your card has insufficient funds.' }
const refusedByBank = { code: 'payment_method_not_available', message: 'Your bank refused the payment.' }
export const bankInsufficientFunds = {
  code: 'insufficient_funds',
  message: 'The customer account has insufficient funds to cover this payment.',
}

type TestNumber = Omit<Method, 'last4'> & { number: string; outcome: string }

/** The provider's published test cards and accounts; the number determines the outcome. */
export const testNumbers: readonly TestNumber[] = [
  { type: 'card', brand: 'visa', number: '4242 4242 4242 4242', outcome: 'Pays' },
  { type: 'card', brand: 'mastercard', number: '5555 5555 5555 4444', outcome: 'Pays' },
  { type: 'card', brand: 'amex', number: '3782 822463 10005', outcome: 'Pays' },
  { type: 'card', brand: 'visa', number: '4000 0000 0000 0002', outcome: 'Declined', failure: cardDeclined },
  {
    type: 'card',
    brand: 'visa',
    number: '4000 0000 0000 9995',
    outcome: 'Declined: no funds',
    failure: cardInsufficientFunds,
  },
  { type: 'us_bank_account', number: testAccounts.arrives, outcome: 'Transfer. Arrives' },
  {
    type: 'us_bank_account',
    number: testAccounts.fails,
    outcome: 'Transfer. Fails: no funds',
    failure: bankInsufficientFunds,
  },
  {
    type: 'us_bank_account',
    number: testAccounts.isReturned,
    outcome: 'Transfer. Arrives, then the bank returns it',
    isReturned: true,
  },
]
export const testRoutingNumber = '110000000'

/** The method of a test card or account; undefined for any other number. */
export function findMethod(type: Method['type'], given: string): Method | undefined {
  const digits = given.replace(/[\s-]/g, '')
  const found = testNumbers.find(
    ({ number, type: known }) => known === type && number.replaceAll(' ', '') === digits,
  )
  if (!found) return undefined
  const { brand, failure, isReturned } = found
  return { type, brand, last4: digits.slice(-4), failure, isReturned }
}

/** The result of the Decline button: the method with a failure, even if it would have succeeded. */
export function asDeclined(method: Method): Method {
  if (method.type === 'us_bank_account') return { ...method, failure: refusedByBank, failsAtOnce: true }
  return method.failure ? method : { ...method, failure: cardDeclined }
}
