export type Decline = { code: string; declineCode?: string; message: string }

export type CardMethod = {
  type: 'card'
  brand: string
  country: string
  last4: string
  expMonth: number
  expYear: number
  decline?: Decline
}
export type BankMethod = { type: 'us_bank_account'; last4: string; routingNumber: string; settles: boolean }
export type Method = CardMethod | BankMethod

const genericDecline = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
}

/** The provider's published test cards; the number alone decides what happens. */
export const testCards: Record<string, { brand: string; outcome: string; decline?: Decline }> = {
  '4242424242424242': { brand: 'visa', outcome: 'Pays' },
  '5555555555554444': { brand: 'mastercard', outcome: 'Pays' },
  '378282246310005': { brand: 'amex', outcome: 'Pays' },
  '4000000000000002': { brand: 'visa', outcome: 'Declined', decline: genericDecline },
  '4000000000009995': {
    brand: 'visa',
    outcome: 'Declined: no funds',
    decline: {
      code: 'card_declined',
      declineCode: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    },
  },
}

/** The provider's published test accounts, all at routing number 110000000. */
export const testAccounts: Record<string, { settles: boolean; outcome: string }> = {
  '000123456789': { settles: true, outcome: 'Arrives' },
  '000222222227': { settles: false, outcome: 'Fails: no funds' },
}
export const testRoutingNumber = '110000000'

export const bankFailure: Decline = {
  code: 'insufficient_funds',
  message: 'The customer account has insufficient funds to cover this payment.',
}

/** A test card by its number; undefined for any other number. */
export function cardMethod(number: string, expMonth = 12, expYear = 2034): CardMethod | undefined {
  const digits = number.replace(/[\s-]/g, '')
  const card = testCards[digits]
  if (!card) return undefined
  const { brand, decline } = card
  return { type: 'card', brand, country: 'US', last4: digits.slice(-4), expMonth, expYear, decline }
}

/** A test account by its number; undefined for any other number. */
export function bankMethod(accountNumber: string): BankMethod | undefined {
  const digits = accountNumber.replace(/[\s-]/g, '')
  const account = testAccounts[digits]
  if (!account) return undefined
  return {
    type: 'us_bank_account',
    last4: digits.slice(-4),
    routingNumber: testRoutingNumber,
    settles: account.settles,
  }
}

/** What the Decline button does with a card that would have paid. */
export function declined(card: CardMethod): CardMethod {
  return { ...card, decline: card.decline ?? genericDecline }
}
