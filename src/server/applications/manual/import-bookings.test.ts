import { randomUUID } from 'node:crypto'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applications, entryRequests, outbox, payments, users } from '../../../../db/schema.ts'
import { importColumns, importedCents, importedDate } from '../../../domain/bookings/booking-import.ts'
import { call, signUpAdmin } from '../../../testing/build-account.ts'
import { dates, makeBooking, makePending } from '../../../testing/build-application.ts'
import { buildCsv, buildRow } from '../../../testing/build-entry.ts'
import { seed } from '../../../testing/random.ts'
import { type TestApp, testApp } from '../../../testing/test-app.ts'
import { callTrpc } from '../../../testing/transports.ts'
import { readCsv } from './read-csv.ts'

const rowsOf = ({ deps: { db } }: TestApp) =>
  [users, applications, payments, outbox, entryRequests].map(table => db.select().from(table).all().length)

async function openApp() {
  const app = await testApp()
  const owner = await app.makeAdmin()
  return { app, owner, entry: app.as(owner).manualBookings }
}
const stay = (start_date: string, end_date: string, name = 'ada') => ({
  start_date,
  end_date,
  email: `${name}@guest.example`,
})

describe('reading a file', () => {
  const header = 'email,start_date,first_name,end_date,last_name'
  const line = 'ada@guest.example,6/1/2026,Ada,2026-07-01,Shore'
  const record = {
    email: 'ada@guest.example',
    start_date: '6/1/2026',
    first_name: 'Ada',
    end_date: '2026-07-01',
    last_name: 'Shore',
  }

  test.each([
    ['commas, columns in any order', `${header}\n${line}\n`],
    ['a byte order mark and line ends of Windows', `\uFEFF${header}\r\n${line}\r\n`],
    ['semicolons', `${header}\n${line}`.replaceAll(',', ';')],
    ['quoted fields', `"email","start_date","first_name","end_date","last_name"\n${line}`],
    ['names in capitals and empty columns behind', `${header.toUpperCase()},,\n${line},,`],
    ['line ends of both kinds', `${header}\r\n${line}\n`],
    ['quoted line ends of both kinds', `${header}\n${line.replace('Shore', '"Shore"')}\r\n`],
  ])('accepts %s [OWN-17]', async (_, csv) => {
    expect(await readCsv(csv)).toEqual([{ row: 2, record, hasExtraFields: false }])
  })

  test('reports a field after the last column only if it is not empty [OWN-17]', async () => {
    expect((await readCsv(`${header}\n${line},x\n${line}, `)).map(row => row.hasExtraFields)).toEqual([
      true,
      false,
    ])
  })

  test.each([
    ['nothing at all', '', 'The column first_name is missing.'],
    ['no rows', `${header}\n\n`, 'This file has no bookings.'],
    ['a missing column', 'email,start_date,first_name,end_date\na,b,c,d', 'The column last_name is missing.'],
    ['an unknown column', `${header},guests\n${line},2`, 'The column guests is not known here.'],
    ['a column twice', `${header},email\n${line},a`, 'The column email is there twice.'],
    ['an open quotation mark', `${header}\n"${line}`, /quotation mark/],
    ['a field of 100,000 characters', `${header}\n${'a'.repeat(100_000)}`, /could not be read/],
    ['a field of 10,001 characters', `${header}\n\n${line},${'a'.repeat(10_001)}`, /^Row 3 has a cell/],
    ['another encoding', `${header}\n${line.replace('Ada', '\uFFFDda')}`, 'Please save the file as UTF-8.'],
    ['half a million empty lines', `${header}${'\n'.repeat(500_000)}`, /more than 2,000 lines/],
    ['2,001 lines after the header', `${header}\n${' \n'.repeat(2001)}`, /more than 2,000 lines/],
    ['50,001 fields in one line', `${header}\n${','.repeat(50_000)}`, /more than 50,000 fields/],
    [
      '50,001 fields apart',
      `${header.replaceAll(',', ';')}${'\n;;;;;;;;;;;;;;;;;;;;;;;;;'.repeat(1999)}${';'.repeat(22)}`,
      /more than 50,000 fields/,
    ],
    ['501 rows', `${header}\n${Array(501).fill(line).join('\n')}`, /at most 500/],
  ])('rejects %s [OWN-17, OWN-23]', async (_, csv, message) => {
    const { entry } = await openApp()
    for (const dryRun of [true, false])
      await expect(entry.import({ csv, dryRun })).rejects.toMatchObject({
        cause: { code: 'bad_request', fields: { csv: expect.stringMatching(message) } },
      })
  })

  test('accepts 500 rows [OWN-23]', async () => {
    const rows = await readCsv(
      `${header}\n${Array(500)
        .fill(line.replace('Shore', '🏖'.repeat(25)))
        .join('\n')}`,
    )
    expect(rows.map(({ record }) => record.last_name)).toEqual(Array(500).fill('🏖'.repeat(25)))
  })

  test('skips blank rows, but counts them in row numbers [OWN-19]', async () => {
    expect((await readCsv(`${header}\n\n,,,,\n${line}\n\n${line}`)).map(({ row }) => row)).toEqual([4, 6])
  })

  test('accepts 1,999 empty lines after the last booking, and any commas in quoted fields up to the limit [OWN-17]', async () => {
    expect(await readCsv(`${header}\n${line}${'\n'.repeat(1999)}`)).toHaveLength(1)
    expect(await readCsv(`${header}\n${line}${`,"${','.repeat(9900)}"`.repeat(5)}`)).toHaveLength(1)
  })

  test('reads back any rows that csv-stringify writes [OWN-17]', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('a,b', 'a;b', '"', 'a\nb', 'a\r\nb', ' x '),
    )
    const record = fc.record(
      Object.fromEntries(
        importColumns.map(column => [column, column === 'email' ? fc.constant('a@b.c') : cell]),
      ),
    )
    const file = fc.record({
      columns: fc.shuffledSubarray([...importColumns], { minLength: importColumns.length }),
      records: fc.array(record, { minLength: 1, maxLength: 8 }),
      delimiter: fc.constantFrom(',', ';'),
      bom: fc.boolean(),
      record_delimiter: fc.constantFrom('windows' as const, 'unix' as const),
    })
    await fc.assert(
      fc.asyncProperty(file, async ({ columns, records, ...options }) => {
        const readable = records.filter(row => !Object.values(row).some(text => text.includes('\uFFFD')))
        fc.pre(readable.length > 0)
        const lines = readable.map(row => columns.map(column => row[column] ?? ''))
        const csv = stringify([columns, ...lines], { ...options, quoted_match: /[\r\n]/ })
        expect((await readCsv(csv)).map(({ record }) => record)).toEqual(readable)
      }),
      { seed, numRuns: 200 },
    )
  })
})

test('parses common formats of dates and amounts [OWN-18]', () => {
  expect(['2026-06-01', '6/1/2026', '06/01/2026', '12/31/2026'].map(importedDate)).toEqual([
    '2026-06-01',
    '2026-06-01',
    '2026-06-01',
    '2026-12-31',
  ])
  for (const text of ['', '13/1/2026', '2/30/2026', '1.6.2026', '6/1/26', '2026-6-1', 'June 1'])
    expect(importedDate(text), text).toBeUndefined()
  expect(['', '1250', '1,250.00', '$1,250.00', '0.5', '1250.05'].map(importedCents)).toEqual([
    0, 1250_00, 1250_00, 1250_00, 50, 1250_05,
  ])
  for (const text of ['-5', '1,25', '1.250,00', '12.345', 'free', '99999999999'])
    expect(importedCents(text), text).toBeUndefined()
})

describe('a dry run', () => {
  test('returns a result for each row and writes nothing [OWN-18, OWN-19]', async () => {
    const { app, entry } = await openApp()
    const before = rowsOf(app)
    const csv = buildCsv([
      buildRow({ monthly_rent: '$1,250.00', deposit: '300', rent_paid: '100', deposit_paid: '300' }),
      buildRow({ ...stay('2028-02-30', '2028-04-01'), lease: 'yes', rent_paid: 'much', email: 'nobody' }),
    ])
    const answer = await entry.import({ csv, dryRun: true, requestId: randomUUID() })
    expect(answer).toMatchObject({ counts: { ready: 1, errors: 1, duplicates: 0 }, imported: 0 })
    expect(answer.rows[0]).toEqual({
      row: 2,
      state: 'ready',
      guest: 'Ada Shore',
      startDate: '2027-11-01',
      endDate: '2027-12-01',
      owedCents: 1550_00,
      paidCents: 400_00,
      applicationNumber: null,
      errors: [],
      warnings: [],
    })
    expect(answer.rows[1]?.errors).toEqual([
      { column: 'email', message: 'Please enter a valid email address' },
      { column: 'start_date', message: 'Please write the date like 2026-06-01 or 6/1/2026' },
      { column: 'monthly_rent', message: 'A lease needs a monthly rent' },
      { column: 'rent_paid', message: 'Please write the amount like 1250 or 1,250.00' },
    ])
    expect(rowsOf(app)).toEqual(before)
  })

  test('checks rows like single entries, against stored bookings and other rows [OWN-20]', async () => {
    const { app, owner, entry } = await openApp()
    const maya = await app.makeTenant({ email: 'maya@guest.example' })
    const { applicationNumber } = await makeBooking(app, maya, owner, dates('2028-01-10', '2028-01-20'))
    await app.makeAdmin({ email: 'boss@condo.example' })
    await app.as(owner).availability.setDate({ date: '2028-05-03', isAvailable: false, reason: 'Painting' })
    const csv = buildCsv([
      buildRow(stay('2028-01-19', '2028-01-25', 'b')),
      buildRow(stay('2028-03-01', '2028-03-01', 'c')),
      buildRow({ ...stay('2028-04-01', '2028-04-05', 'd'), phone: 'none' }),
      buildRow(stay('2028-04-04', '2028-04-08', 'e')),
      buildRow(stay('2028-05-01', '2028-05-05', 'f')),
      buildRow({ ...stay('2028-06-01', '2028-06-05'), email: 'BOSS@condo.example' }),
      buildRow({ ...stay('2028-07-01', '2028-07-05', 'g'), rent_paid: '5', paid_on: '2027-01-01' }),
    ])
    const { rows } = await entry.import({ csv: `${csv}${'x,'.repeat(13)}extra\n`, dryRun: true })
    expect(
      rows.map(({ row, errors, warnings }) => [row, errors[0]?.column, errors[0]?.message ?? warnings[0]]),
    ).toEqual([
      [2, 'start_date', expect.stringContaining(`overlap application ${applicationNumber}`)],
      [3, 'end_date', 'End date must be after start date'],
      [4, 'phone', 'Please enter a valid phone number'],
      [5, 'start_date', 'These dates overlap row 4.'],
      [6, undefined, 'You have blocked these nights: May 3, 2028'],
      [7, 'email', 'This is an administrator’s email.'],
      [8, 'paid_on', 'The date of a payment cannot be in the future'],
      [9, 'row', 'This row has more fields than there are columns.'],
    ])
  })

  test('finds duplicates of bookings and of earlier rows; a pending application is an error, a declined one is ignored [OWN-05, OWN-21]', async () => {
    const { app, owner, entry } = await openApp()
    const maya = await app.makeTenant({ email: 'Maya@guest.example' })
    const booked = await makeBooking(app, maya, owner, dates('2028-01-10', '2028-01-20'))
    const pending = await makePending(app, maya, dates('2028-02-10', '2028-02-20'))
    const declined = await makePending(app, maya, dates('2028-03-10', '2028-03-20'))
    await app.as(owner).applications.adminSetStatus({ id: declined.id, status: 'rejected' })
    const csv = buildCsv([
      buildRow(stay('2028-01-10', '1/20/2028', 'MAYA')),
      buildRow(stay('2028-02-10', '2028-02-20', 'maya')),
      buildRow(stay('2028-03-10', '2028-03-20', 'maya')),
      buildRow(stay('2028-03-10', '2028-03-20', 'Maya')),
    ])
    const { rows, counts } = await entry.import({ csv, dryRun: true })
    expect(rows.map(({ state, applicationNumber }) => [state, applicationNumber])).toEqual([
      ['duplicate', booked.applicationNumber],
      ['error', null],
      ['ready', null],
      ['duplicate', null],
    ])
    const message = `${pending.applicationNumber} asks for the same dates: approve it instead.`
    expect(rows[1]?.errors).toEqual([{ column: 'start_date', message }])
    expect(counts).toEqual({ ready: 1, errors: 1, duplicates: 2 })
  })
})

describe('importing', () => {
  test('imports nothing if a row has errors or is an unskipped duplicate, and reports them by row and column [OWN-22]', async () => {
    const { app, entry } = await openApp()
    const before = rowsOf(app)
    const csv = buildCsv([
      buildRow(),
      buildRow({ ...stay('2028-02-30', '2028-04-01', 'b') }),
      buildRow(),
      buildRow({ ...stay('2028-06-01', '2028-07-01', 'c'), deposit: 'x' }),
    ])
    const refused = (skipDuplicates: boolean) => entry.import({ csv, dryRun: false, skipDuplicates })
    await expect(refused(true)).rejects.toMatchObject({
      message: 'Nothing was imported: 2 rows have errors.',
      cause: { fields: { 'rows.3.start_date': expect.anything(), 'rows.5.deposit': expect.anything() } },
    })
    await expect(refused(false)).rejects.toMatchObject({
      message: 'Nothing was imported: 3 rows have errors.',
      cause: { fields: { 'rows.4.email': 'An earlier row is the same booking.' } },
    })
    expect(rowsOf(app)).toEqual(before)
    await expect(entry.import({ csv: buildCsv([buildRow(), buildRow()]), dryRun: false })).rejects.toThrow(
      'Nothing was imported: 1 row has errors.',
    )
  })

  test('writes valid rows, skips duplicates on request, and sends one mail to each person [OWN-22]', async () => {
    const { app, owner, entry } = await openApp()
    await app.makeTenant({ email: 'known@guest.example' })
    const csv = buildCsv([
      buildRow({ note: 'From the old list', rent_paid: '100', paid_on: '2/1/2026' }),
      buildRow(),
      buildRow(stay('2028-01-01', '2028-02-01', 'ada.shore')),
      buildRow(stay('2028-03-01', '2028-04-01', 'known')),
      buildRow(stay('2025-03-01', '2025-04-01', 'past')),
    ])
    const input = { csv, dryRun: false, skipDuplicates: true, invite: true, requestId: randomUUID() }
    const answer = await entry.import(input)
    expect(answer).toMatchObject({ counts: { ready: 4, errors: 0, duplicates: 1 }, imported: 4 })
    expect(answer.rows.map(({ applicationNumber }) => applicationNumber)).toEqual([
      'APP-2026-0001',
      null,
      'APP-2026-0002',
      'APP-2026-0003',
      'APP-2026-0004',
    ])
    const mails = app.deps.db.select().from(outbox).all()
    expect(mails.map(({ kind, toAddress }) => [kind, toAddress])).toEqual([
      ['invitation', 'ada.shore@guest.example'],
      ['booking-entered', 'known@guest.example'],
    ])
    const { applications: listed } = await app.as(owner).applications.adminList({ sort: 'firstName' })
    expect(listed.map(({ source, status }) => `${source} ${status}`).toSorted()).toEqual([
      'owner approved',
      'owner approved',
      'owner approved',
      'owner completed',
    ])
    const before = rowsOf(app)
    expect(await entry.import(input)).toEqual(answer)
    expect(rowsOf(app)).toEqual(before)
    await expect(entry.import({ csv, dryRun: false })).rejects.toThrow(/Nothing was imported: 5 rows/)
  })

  test('invites nobody by default [OWN-22]', async () => {
    const { app, entry } = await openApp()
    expect((await entry.import({ csv: buildCsv(), dryRun: false })).imported).toBe(1)
    expect(app.deps.db.select().from(outbox).all()).toEqual([])
  })

  test('accepts a body above the default limit, up to 1 MB [OWN-23]', async () => {
    const app = await testApp()
    const { token } = await signUpAdmin(app)
    const firstDay = Date.parse('2030-01-01T00:00:00Z')
    const day = (count: number) => new Date(firstDay + count * 86_400_000).toISOString().slice(0, 10)
    const rows = Array.from({ length: 30 }, (_, index) =>
      buildRow({ ...stay(day(index), day(index + 1), `guest${index}`), note: 'a note, '.repeat(600) }),
    )
    const csv = buildCsv(rows)
    expect(csv.length).toBeGreaterThan(120_000)
    const send = (body: object) => call(app, 'POST', '/api/booking/admin/import', { token, body })
    const asBrowser = await callTrpc(app.http, 'manualBookings.import', 'mutation', {
      token,
      input: { csv, dryRun: true },
    })
    expect(asBrowser.status).toBe(200)
    const { status, body } = await send({ csv, dryRun: false })
    expect({ status, imported: body.imported }).toEqual({ status: 200, imported: 30 })
    const large = await send({ csv: csv.padEnd(1024 * 1024, '\n'), dryRun: true })
    expect(large.status).toBe(413)
    const manyValues = await send({ csv: '', dryRun: true, more: Array(100_000).fill(0) })
    expect(manyValues.status).toBe(413)
  })

  test('has a template with only the header line, in the order of the columns [OWN-23]', async () => {
    const app = await testApp()
    const { token } = await signUpAdmin(app)
    const answer = await app.http.inject({
      url: '/api/booking/admin/import/template.csv',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.headers['content-type']).toMatch(/^text\/csv/)
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="bookings.csv"/)
    expect(answer.body).toBe(
      'first_name,last_name,email,start_date,end_date,phone,monthly_rent,deposit,rent_paid,deposit_paid,paid_on,lease,note\r\n',
    )
  })
})
