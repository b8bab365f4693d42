import { stringify } from 'csv-stringify/sync'
import { type Actor, requireAdmin } from '../../../domain/accounts/access.ts'
import { importColumns } from '../../../domain/bookings/booking-import.ts'

/** A template for importing bookings: only the header line. @throws AppError unauthorized, forbidden */
export function importTemplate(actor: Actor): { content: Buffer; fileName: string; contentType: string } {
  requireAdmin(actor)
  return {
    content: Buffer.from(stringify([[...importColumns]], { record_delimiter: 'windows' })),
    fileName: 'bookings.csv',
    contentType: 'text/csv; charset=utf-8',
  }
}
