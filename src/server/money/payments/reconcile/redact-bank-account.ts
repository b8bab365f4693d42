/** A provider object as JSON for storage; of a bank account it keeps only the last four digits (BANK-08). */
export function redactBankAccount(object: unknown): string {
  return JSON.stringify(object, (name, value) =>
    name === 'us_bank_account' && typeof value === 'object' && value !== null
      ? { last4: value.last4 }
      : value,
  )
}
