/** The columns of an import, in the order of the template. */
export const importColumns = [
  'first_name',
  'last_name',
  'email',
  'start_date',
  'end_date',
  'phone',
  'monthly_rent',
  'deposit',
  'rent_paid',
  'deposit_paid',
  'paid_on',
  'lease',
  'note',
] as const
export type ImportColumn = (typeof importColumns)[number]
export const neededColumns = ['first_name', 'last_name', 'email', 'start_date', 'end_date'] as const

export const maxImportRows = 500
/** Limit of the whole request body. */
export const maxImportBytes = 1024 * 1024
