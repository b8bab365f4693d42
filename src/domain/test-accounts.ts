/** The provider's published test accounts of a US bank, which the demo's payment page names; real ones are never here. */
export const testAccounts = {
  arrives: '000123456789',
  fails: '000222222227',
  isReturned: '000555555559',
} as const
