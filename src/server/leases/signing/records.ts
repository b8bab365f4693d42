import { and, asc, desc, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { addenda, applications, leases, signers, signings } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { leaseMessages } from '../../../domain/leases/lease.ts'
import { completeSince, signingCount } from '../../../domain/leases/signing.ts'
import { revokeLinks } from '../../auth/sessions/access-links.ts'
import { getApplicationRecord, type LeaseRow, type OwnApplication } from '../../bookings/records.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { sha256 } from '../../lib/sha256.ts'
import { currentSite } from '../../site/content/published.ts'

export type SigningRow = typeof signings.$inferSelect
export type SignerRow = typeof signers.$inferSelect
export type Signing = SigningRow & { signers: SignerRow[] }

/** The lease in force, or an addendum to it that was not closed. */
const isStanding = and(
  isNull(leases.voidedAt),
  sql`not exists (select 1 from ${addenda} where ${addenda.leaseId} = ${leases.id} and ${addenda.closed} is not null)`,
)

export type Document = { lease: LeaseRow; text: string; record: OwnApplication }

/**
 * The lease of an application, or one of its addenda, with its text.
 * @throws AppError not_found, also before generation; internal if the text is damaged
 */
export function loadDocument(
  db: Db,
  actor: SignedIn,
  applicationId: string,
  addendumId?: string | null,
): Document {
  const record = getApplicationRecord(db, actor, applicationId)
  const id = addendumId ?? record.lease?.id
  return { record, ...documentOf(db, applicationId, id) }
}

/** @throws AppError not_found; internal if the text is damaged */
export function documentOf(db: Db, applicationId: string, id: string | undefined): Omit<Document, 'record'> {
  const { text: _, ...columns } = getTableColumns(leases)
  const isIt = and(eq(leases.id, id ?? ''), eq(leases.applicationId, applicationId), isStanding)
  const found = db.select({ lease: columns, text: leases.text }).from(leases).where(isIt).get()
  if (!found) throw new AppError('not_found', leaseMessages.notGenerated)
  if (sha256(found.text) !== found.lease.textSha256)
    throw new AppError('internal', 'The stored lease text is damaged. Please contact the owner.')
  return found
}

/** The newest signing of a document, with everybody who was asked. */
export function signingOf(db: Db, leaseId: string): Signing | undefined {
  const row = db
    .select()
    .from(signings)
    .where(eq(signings.leaseId, leaseId))
    .orderBy(desc(sql`rowid`))
    .limit(1)
    .get()
  return row && withSigners(db, row)
}

/** The signing that is under way. */
export const openSigningOf = (db: Db, leaseId: string): Signing | undefined => {
  const found = signingOf(db, leaseId)
  return found?.state === 'open' ? found : undefined
}

export function signingById(db: Db, id: string): Signing | undefined {
  const row = db.select().from(signings).where(eq(signings.id, id)).get()
  return row && withSigners(db, row)
}

const withSigners = (db: Db, row: SigningRow): Signing => ({
  ...row,
  signers: db
    .select()
    .from(signers)
    .where(eq(signers.signingId, row.id))
    .orderBy(asc(signers.position))
    .all(),
})

/** A signer with the signing. */
export function signerById(db: Db, id: string): { signer: SignerRow; signing: Signing } | undefined {
  const signer = db.select().from(signers).where(eq(signers.id, id)).get()
  const signing = signer && signingById(db, signer.signingId)
  return signing && { signer, signing }
}

/** A signer's email now: those of tenant and owner may have changed since the invitation. */
export function emailOf(deps: Deps, { email, role }: SignerRow, accountEmail: string): string {
  if (role === 'tenant') return accountEmail
  return role === 'owner' ? currentSite(deps).ownerEmail : email
}

/** The links that went to a signer's former email end (SIGNER-20). */
export function setSignerEmail(deps: Deps, tx: Tx, signer: SignerRow, email: string): void {
  if (email === signer.email) return
  revokeLinks(tx, nowIso(deps), 'sign', { subjectId: signer.id })
  tx.update(signers).set({ email }).where(eq(signers.id, signer.id)).run()
}

/** The application of a signing; undefined once it is deleted. */
export function applicationIdOf(db: Db, { leaseId }: SigningRow): string | undefined {
  const { applicationId, id } = leases
  return db
    .select({ applicationId })
    .from(leases)
    .innerJoin(applications, and(eq(applications.id, applicationId), isNull(applications.deletedAt)))
    .where(eq(id, leaseId))
    .get()?.applicationId
}

/** Signings in these states of a document, or of all documents of an application. */
export function signingsIn(
  db: Db,
  of: { applicationId: string } | { leaseId: string },
  states: SigningRow['state'][],
): Signing[] {
  const isOf = 'leaseId' in of ? eq(leases.id, of.leaseId) : eq(leases.applicationId, of.applicationId)
  return db
    .select({ signing: getTableColumns(signings) })
    .from(signings)
    .innerJoin(leases, eq(leases.id, signings.leaseId))
    .where(and(isOf, inArray(signings.state, states)))
    .all()
    .map(({ signing }) => withSigners(db, signing))
}

/** Open signings in which nobody is missing: their file is not made yet. */
export function finishedSignings(db: Db): string[] {
  return db
    .select()
    .from(signings)
    .where(eq(signings.state, 'open'))
    .all()
    .filter(row => completeSince(withSigners(db, row).signers) !== null)
    .map(({ id }) => id)
}

/** Whether anybody has signed, so that the document must not change any more (SIGNER-09). */
export const isPartlySigned = (signing: Signing | undefined): boolean =>
  signing !== undefined && signingCount(signing.signers).signed > 0
