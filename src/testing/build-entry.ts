import { stringify } from 'csv-stringify/sync'
import type { BookingEntryValues } from '../domain/bookings/booking-entry.ts'
import type { ImportRecord } from '../domain/bookings/booking-import.ts'
import { importColumns } from '../domain/bookings/booking-import.ts'
import { queuedTokens } from './queued-tokens.ts'
import type { TestApp } from './test-app.ts'

/** A booking as entered by the owner, for a guest without an account. */
export function buildEntry(overrides: Partial<BookingEntryValues> = {}): BookingEntryValues {
  return {
    firstName: 'Jon',
    lastName: 'Reyes',
    email: 'jon@guest.example',
    startDate: '2027-09-01',
    endDate: '2027-10-01',
    ...overrides,
  }
}

/** One row of an import. */
export function buildRow(overrides: ImportRecord = {}): ImportRecord {
  return {
    first_name: 'Ada',
    last_name: 'Shore',
    email: 'ada.shore@guest.example',
    start_date: '2027-11-01',
    end_date: '2027-12-01',
    ...overrides,
  }
}

/** A CSV file with all columns of the import template. */
export function buildCsv(rows: ImportRecord[] = [buildRow()]): string {
  return stringify([[...importColumns], ...rows.map(row => importColumns.map(column => row[column] ?? ''))])
}

/** The tokens in the queued invitations for this address, newest first. */
export function invitationTokens(app: TestApp, to: string): string[] {
  return queuedTokens(app, ['invitation'], to)
}
