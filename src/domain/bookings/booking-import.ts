import { z } from 'zod'
import { type CalendarDate, isCalendarDate } from '../common/dates.ts'
import { calendarOverride } from '../common/inputs.ts'
import { maxAmountCents } from '../common/money.ts'
import { plural } from '../common/plural.ts'
import { apiCents, wireDate } from '../common/wire.ts'
import { type BookingEntryValues, bookingEntry } from './booking-entry.ts'

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

/** One booking of the file, as text by column. */
export type ImportRecord = Partial<Record<ImportColumn, string>>
/** An error in a row; the column `row` stands for the whole row. */
export type RowError = { column: ImportColumn | 'row'; message: string }

const file = z.string({ error: 'Please choose a CSV file' })
export const bookingImport = z.object({
  csv: file,
  dryRun: z.boolean({ error: 'Please say whether this is a dry run' }),
  skipDuplicates: z.boolean().default(false),
  invite: z.boolean().default(false),
  overrideCalendar: calendarOverride.default(false),
  requestId: z.uuid().optional(),
})
export type BookingImport = z.output<typeof bookingImport>

export const importRow = z
  .strictObject({
    row: z.int().meta({ description: '2 is the first after the header' }),
    state: z.enum(['ready', 'error', 'duplicate']),
    guest: z.string(),
    startDate: wireDate.nullable(),
    endDate: wireDate.nullable(),
    owedCents: apiCents.nullable(),
    paidCents: apiCents.nullable(),
    applicationNumber: z.string().nullable(),
    errors: z.array(z.strictObject({ column: z.enum([...importColumns, 'row']), message: z.string() })),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'ImportRow' })
export type ImportRow = z.infer<typeof importRow>

export const importResponse = z.strictObject({
  rows: z.array(importRow),
  counts: z.strictObject({ ready: z.int(), errors: z.int(), duplicates: z.int() }),
  imported: z.int(),
  overrideKey: z.string().optional().meta({
    description: 'Of a dry run: sent as overrideCalendar, it accepts the taken nights of all these rows',
  }),
})
export type ImportResponse = z.infer<typeof importResponse>

/** The number of rows in each state. */
export function countRows(rows: readonly ImportRow[]): ImportResponse['counts'] {
  const inState = (state: ImportRow['state']) => rows.filter(row => row.state === state).length
  return { ready: inState('ready'), errors: inState('error'), duplicates: inState('duplicate') }
}

/** Such as `Nothing was imported: 2 rows have errors.` */
export function nothingImportedMessage(rows: number): string {
  return `Nothing was imported: ${plural(rows, 'row')} ${rows === 1 ? 'has' : 'have'} errors.`
}

/** Parses a date like `2026-06-01` or `6/1/2026`; undefined for anything else. */
export function importedDate(text: string): CalendarDate | undefined {
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  const date = year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text
  return isCalendarDate(date) ? date : undefined
}

/** Parses `1250`, `1,250.00` or `$1,250.00` to integer cents; empty is 0, undefined for anything else. */
export function importedCents(text: string): number | undefined {
  if (text === '') return 0
  if (!/^\$? ?(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/.test(text)) return undefined
  const cents = Math.round(Number(text.replace(/[$, ]/g, '')) * 100)
  return cents <= maxAmountCents ? cents : undefined
}

type ParsedRow = { entry?: z.output<typeof bookingEntry>; errors: RowError[] }

/** Parses a row into a booking entry with the same checks, and collects the errors of all columns. */
export function parseImportRow(record: ImportRecord): ParsedRow {
  const errors: RowError[] = []
  const text = (column: ImportColumn) => (record[column] ?? '').trim()
  const read = <T>(column: ImportColumn, value: T | undefined, message: string, fallback: T): T => {
    if (value === undefined) errors.push({ column, message })
    return value ?? fallback
  }
  const date = (column: ImportColumn) =>
    text(column) && read(column, importedDate(text(column)), dateMessage, '')
  const cents = (column: ImportColumn) => read(column, importedCents(text(column)), amountMessage, 0)

  const lease = read('lease', importedFlag(text('lease')), 'Please write yes or no', false)
  const rentCents = cents('monthly_rent')
  const depositCents = cents('deposit')
  if (lease && rentCents === 0 && !errors.some(({ column }) => column === 'monthly_rent'))
    errors.push({ column: 'monthly_rent', message: 'A lease needs a monthly rent' })
  const paidOn = date('paid_on')
  const paid = [
    { column: 'rent_paid', paymentType: 'rent', amount: cents('rent_paid') },
    { column: 'deposit_paid', paymentType: 'deposit', amount: cents('deposit_paid') },
  ] as const
  const payments = paid.filter(({ amount }) => amount > 0)
  const values: BookingEntryValues = {
    firstName: text('first_name'),
    lastName: text('last_name'),
    email: text('email'),
    startDate: date('start_date'),
    endDate: date('end_date'),
    phone: text('phone'),
    address: null,
    secondApplicantFirstName: '',
    secondApplicantLastName: '',
    rentalAmount: rentCents / 100,
    depositAmount: depositCents / 100,
    generateLease: lease,
    payments: payments.map(({ amount, paymentType }) => ({ amount, paymentType, paymentDate: paidOn })),
    note: text('note'),
  }
  const { data, error } = bookingEntry.safeParse(values)
  for (const { path, message } of error?.issues ?? []) {
    const column = columnOf(path.join('.'), payments)
    // A column that could not be parsed already has an error.
    if (!errors.some(known => known.column === column)) errors.push({ column, message })
  }
  if (data && errors.length === 0) return { entry: data, errors }
  return { errors: errors.toSorted((a, b) => placeOf(a) - placeOf(b)) }
}

const placeOf = ({ column }: RowError) => (importColumns as readonly string[]).indexOf(column)

/** The column that holds a field of an entry. */
export function columnOf(
  field: string,
  payments: readonly { column: ImportColumn }[] = [],
): RowError['column'] {
  const [, index, part] = /^payments\.(\d+)\.(\w+)$/.exec(field) ?? []
  if (index !== undefined) return part === 'amount' ? (payments[Number(index)]?.column ?? 'row') : 'paid_on'
  return fieldColumns[field] ?? 'row'
}

const fieldColumns: Record<string, ImportColumn> = {
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  startDate: 'start_date',
  endDate: 'end_date',
  overrideCalendar: 'start_date',
  phone: 'phone',
  rentalAmount: 'monthly_rent',
  depositAmount: 'deposit',
  note: 'note',
}

function importedFlag(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (word === 'yes') return true
  return word === 'no' || word === '' ? false : undefined
}

const dateMessage = 'Please write the date like 2026-06-01 or 6/1/2026'
const amountMessage = 'Please write the amount like 1250 or 1,250.00'
