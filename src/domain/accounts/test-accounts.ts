/** The provider's published test accounts of a US bank, shown on the demo's payment page. Never put real ones here. */
export const testAccounts = {
  arrives: '000123456789',
  fails: '000222222227',
  isReturned: '000555555559',
} as const
