import { and, asc, eq, getTableColumns, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { applications, leases, signers, signings } from '../../../../db/schema.ts'
import { completeSince, signingCount } from '../../../domain/leases/signing.ts'
import { revokeLinks } from '../../auth/sessions/access-links.ts'
import { type OwnApplication, selectRecords } from '../../bookings/records.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { currentSite } from '../../site/content/published.ts'

type SigningRow = typeof signings.$inferSelect
export type SignerRow = typeof signers.$inferSelect
/** A signing with its signers, and the kind, application and dates of the document. */
export type Signing = SigningRow &
  Pick<typeof leases.$inferSelect, 'applicationId' | 'kind' | 'startDate' | 'endDate'> & {
    signers: SignerRow[]
  }

/** The oldest first. */
function select(db: Db, where: SQL | undefined): Signing[] {
  const { applicationId, endDate, id, kind, startDate } = leases
  return db
    .select({ ...getTableColumns(signings), applicationId, kind, startDate, endDate })
    .from(signings)
    .innerJoin(leases, eq(id, signings.leaseId))
    .where(where)
    .orderBy(asc(sql`${signings}.rowid`))
    .all()
    .map(row => {
      const ofSigning = eq(signers.signingId, row.id)
      return {
        ...row,
        signers: db.select().from(signers).where(ofSigning).orderBy(asc(signers.position)).all(),
      }
    })
}

/** The newest signing of a document. */
export const signingOf = (db: Db, leaseId: string): Signing | undefined =>
  select(db, eq(signings.leaseId, leaseId)).at(-1)

/** The signing that is under way. */
export const openSigningOf = (db: Db, leaseId: string): Signing | undefined => {
  const found = signingOf(db, leaseId)
  return found?.state === 'open' ? found : undefined
}

export const signingById = (db: Db, id: string): Signing | undefined => select(db, eq(signings.id, id))[0]

/** The application of a signing; undefined once it is deleted. */
export const recordOf = (db: Db, { applicationId }: Pick<Signing, 'applicationId'>) =>
  // The caller checks the link or the session.
  selectRecords(db)
    .where(and(eq(applications.id, applicationId), isNull(applications.deletedAt)))
    .get() as OwnApplication | undefined

/** A signer with signing and application; undefined once that is deleted. */
export function findSigner(db: Db, id: string) {
  const signer = db.select().from(signers).where(eq(signers.id, id)).get()
  const signing = signer && signingById(db, signer.signingId)
  const record = signing && recordOf(db, signing)
  return record && { signer, signing, record }
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

/** Signings in these states of a document, or of all documents of an application. */
export const signingsIn = (
  db: Db,
  of: { applicationId: string } | { leaseId: string },
  states: SigningRow['state'][],
): Signing[] =>
  select(
    db,
    and(
      'leaseId' in of ? eq(leases.id, of.leaseId) : eq(leases.applicationId, of.applicationId),
      inArray(signings.state, states),
    ),
  )

export const openSignings = (db: Db): Signing[] => select(db, eq(signings.state, 'open'))

/** Open signings in which nobody is missing: their file is not made yet. */
export const finishedSignings = (db: Db): Signing[] =>
  openSignings(db).filter(({ signers }) => completeSince(signers) !== null)

/** Whether anybody has signed, so that the document must not change any more (SIGNER-09). */
export const isPartlySigned = ({ signers }: Signing): boolean => signingCount(signers).signed > 0
