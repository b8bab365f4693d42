export type Decline = { code: string; message: string }
/** A way to pay. `failure`: at once for a card, later for a bank transfer. */
export type Method = {
  type: 'card' | 'us_bank_account'
  brand?: string
  last4: string
  failure?: Decline
}

const cardDeclined = { code: 'card_declined', message: 'Your card was declined.' }
const noFundsOnCard = { code: 'card_declined', message: 'Your card has insufficient funds.' }
export const noFundsAtBank = {
  code: 'insufficient_funds',
  message: 'The customer account has insufficient funds to cover this payment.',
}

type TestNumber = Omit<Method, 'last4'> & { number: string; outcome: string }

/** The provider's published test cards and accounts; the number alone decides what happens. */
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
    failure: noFundsOnCard,
  },
  { type: 'us_bank_account', number: '000123456789', outcome: 'Transfer. Arrives' },
  {
    type: 'us_bank_account',
    number: '000222222227',
    outcome: 'Transfer. Fails: no funds',
    failure: noFundsAtBank,
  },
]
export const testRoutingNumber = '110000000'

/** The method of a test card or account; undefined for any other number. */
export function findMethod(type: Method['type'], given: string): Method | undefined {
  const digits = given.replace(/[\s-]/g, '')
  const found = testNumbers.find(
    ({ number, type: known }) => known === type && number.replaceAll(' ', '') === digits,
  )
  return found && { type, brand: found.brand, last4: digits.slice(-4), failure: found.failure }
}

/** What the Decline button does, also with a card that would have paid or a bank transfer. */
export function declined(method: Method): Method {
  return method.type === 'card' && method.failure
    ? method
    : { ...method, type: 'card', failure: cardDeclined }
}
