import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { applications, signers, signings } from '../../../../db/schema.ts'
import type { Actor, System } from '../../../domain/accounts/access.ts'
import { coSignerName } from '../../../domain/bookings/people.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { signerName, signingMessages } from '../../../domain/leases/signing.ts'
import { revokeLinks } from '../../auth/sessions/access-links.ts'
import { type ApplicationRow, selectRecords } from '../../bookings/records.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { isPartlySigned, openSigningOf, type Signing, signingsIn } from './records.ts'

/**
 * Ends the open signings of a document, or of all documents of an application: links die, and signatures stay in the
 * audit log alone. Who had signed is told (SIGNER-10). A complete one ends with its signed file alone. Does nothing if
 * there is none.
 */
export function voidSigning(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  actor: Actor | System,
  of: { applicationId: string } | { leaseId: string },
  reason: string,
  { alsoComplete = false } = {},
): void {
  const states = alsoComplete ? (['open', 'complete'] as const) : (['open'] as const)
  for (const signing of signingsIn(tx, of, [...states])) voidOne(tx, nowIso(deps), actor, signing, reason)
}

function voidOne(tx: Tx, at: string, actor: Actor | System, signing: Signing, reason: string): void {
  tx.update(signings).set({ state: 'voided', closedAt: at, reason }).where(eq(signings.id, signing.id)).run()
  const { applicationId, kind } = signing
  const record = selectRecords(tx).where(eq(applications.id, applicationId)).get()
  if (!record) throw new Error('a signing without its application')
  for (const signer of signing.signers) {
    revokeLinks(tx, at, 'sign', { subjectId: signer.id })
    // The owner did it, or reads it on the booking.
    if (signer.signedAt === null || signer.role === 'owner') continue
    enqueueMail(tx, at, {
      kind: 'signing-voided',
      to: signer.role === 'tenant' ? record.account.email : signer.email,
      dedupeKey: `signing-voided:${signer.id}`,
      props: {
        firstName: signer.firstName,
        applicationNumber: record.application.number,
        applicationId,
        document: kind,
        reason,
      },
    })
  }
  const signed = signing.signers.filter(({ signedAt }) => signedAt !== null).length
  const detail = { signingId: signing.id, document: kind, reason, signed }
  recordEvent(tx, at, actor, 'lease.signing_voided', applicationId, detail)
}

const peopleChanged = 'The people in the lease have changed.'

/**
 * Before the first signature the invitations follow the names in the lease; where somebody else would sign they are
 * taken back.
 * @throws AppError conflict once anybody has signed (SIGNER-09)
 */
export function followDocument(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  actor: Actor | System,
  leaseId: string,
  application: ApplicationRow,
): void {
  const signing = openSigningOf(tx, leaseId)
  if (!signing) return
  if (isPartlySigned(signing)) throw new AppError('conflict', signingMessages.partlySigned)
  const coTenant = signing.signers.find(({ role }) => role === 'co_tenant')
  const coSigner = coSignerName(application) === undefined ? undefined : application.secondApplicantFirstName
  const adults = adultNames(application)
  const isStranger = signing.signers.some(
    signer => signer.role === 'occupant' && signer.removedAt === null && !adults.includes(signerName(signer)),
  )
  // The same first name is the same person, whose surname was corrected.
  if (coTenant?.firstName !== coSigner || isStranger) {
    voidSigning(deps, tx, actor, { leaseId }, peopleChanged)
    return
  }
  const named = { tenant: tenantNames(application), co_tenant: coTenantNames(application) }
  for (const { id, role } of signing.signers)
    if (role === 'tenant' || role === 'co_tenant')
      tx.update(signers).set(named[role]).where(eq(signers.id, id)).run()
}

export const tenantNames = ({ firstName, lastName }: ApplicationRow) => ({ firstName, lastName })

export const coTenantNames = (row: ApplicationRow) => ({
  firstName: row.secondApplicantFirstName,
  lastName: row.secondApplicantLastName,
})

export const adultNames = ({ additionalGuests }: ApplicationRow): string[] =>
  additionalGuests.filter(({ isAdult }) => isAdult).map(signerName)
