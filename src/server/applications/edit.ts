import { eq } from 'drizzle-orm'
import { applications } from '../../../db/schema.ts'
import { requireTenant, type SignedIn } from '../../domain/accounts/access.ts'
import { guestLimitErrors } from '../../domain/bookings/application.ts'
import type { ApplicationEdit } from '../../domain/bookings/application-form.ts'
import { AppError } from '../../domain/common/errors.ts'
import { guestLimitMessage } from '../../domain/common/guest-limit.ts'
import { type ApplicationRow, getApplicationRecord, isSigned } from '../bookings/records.ts'
import type { ApplicationView } from '../bookings/views.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { leaseSignedMessage, rewriteLease } from '../leases/generate.ts'
import { guestLimitOf } from '../site/content/published.ts'
import { presentOwn } from './queries.ts'

/**
 * Applies the tenant's edit and rewrites an unsigned lease; the owner gets a notice if that changes its total.
 * @throws AppError not_found, forbidden for an admin, conflict for a name in a signed lease, bad_request for too many
 * people
 */
export async function updateApplication(
  deps: Deps,
  actor: SignedIn,
  id: string,
  { address, ...edit }: ApplicationEdit,
): Promise<ApplicationView> {
  const tenant = requireTenant(actor)
  const record = await deps.write(tx => {
    const { application: row, lease } = getApplicationRecord(tx, tenant, id)
    const renamed = nameFields.filter(field => edit[field] !== row[field])
    if (renamed.length > 0 && isSigned(lease)) throw leaseSignedError(renamed)
    requireGuestLimit(deps, row, edit)
    const at = nowIso(deps)
    tx.update(applications)
      .set({ ...edit, ...address, updatedAt: at })
      .where(eq(applications.id, id))
      .run()
    if (renamed.length > 0) rewriteLease(deps, tx, tenant, id)
    const record = getApplicationRecord(tx, tenant, id)
    const totals = { totalBeforeCents: row.totalCents, totalCents: record.application.totalCents }
    const hasNewTotal = totals.totalCents !== totals.totalBeforeCents
    recordEvent(tx, at, tenant, 'application.updated', id, hasNewTotal ? totals : {})
    return record
  })
  return presentOwn(deps, record)
}

/** @throws AppError bad_request if the edit adds more people than the condo sleeps */
export function requireGuestLimit(deps: Deps, row: ApplicationRow, changes: Partial<ApplicationRow>): void {
  const guestLimit = guestLimitOf(deps)
  const fields = guestLimitErrors(row, { ...row, ...changes }, guestLimit)
  if (fields) throw new AppError('bad_request', guestLimitMessage(guestLimit), { fields })
}

/** The error for a change of fields that a signed lease locks. */
export function leaseSignedError(fields: readonly string[]): AppError {
  return new AppError('conflict', leaseSignedMessage, {
    fields: Object.fromEntries(fields.map(field => [field, leaseSignedMessage])),
  })
}

const nameFields = [
  'firstName',
  'lastName',
  'secondApplicantFirstName',
  'secondApplicantLastName',
] as const satisfies (keyof ApplicationRow)[]
