import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { signings } from '../../../../db/schema.ts'
import { system } from '../../../domain/accounts/access.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { AppError } from '../../../domain/common/errors.ts'
import {
  consentSentenceOf,
  guaranteeSentence,
  type SignedDocument,
  signerTitles,
} from '../../../domain/leases/lease-signing.ts'
import { completeSince, signerName, signingCount } from '../../../domain/leases/signing.ts'
import { prolongLinks } from '../../auth/sessions/access-links.ts'
import { keepClaimsOf } from '../../bookings/claims.ts'
import { isSigned } from '../../bookings/records.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import type { StoredFile } from '../../kernel/file-store.ts'
import { readStoredFile, storeFile } from '../../kernel/files/stored-file.ts'
import { currentSite } from '../../site/content/published.ts'
import { requireNights } from '../addenda/apply.ts'
import { findAddendum, requireOpen } from '../addenda/records.ts'
import { type Document, documentIn, fileOf, pdfNameOf, titleOf } from '../records.ts'
import { mailSigned, storeSigned } from '../signed.ts'
import { finishedSignings, recordOf, type SignerRow, type Signing, signingById } from './records.ts'

/** How much longer the links open the signed document. */
const prolongedMs = 30 * dayMs

/** Longer than a maintained server is ever down. */
const keptMs = 30 * dayMs

/** Completes what was interrupted after the last signature (SIGNER-11). */
export async function tickSignings(deps: Deps): Promise<void> {
  for (const { id } of finishedSignings(deps.db)) await completeSigning(deps, id)
}

/** Signings that are being completed: the next one waits, and finds the file there. */
const running = new Map<string, Promise<unknown>>()

/**
 * Makes the file of a signing in which nobody is missing and marks the document as signed; does nothing for another.
 * Never throws: what fails is tried again within a minute.
 * @returns whether the signing is complete
 */
export async function completeSigning(deps: Deps, signingId: string): Promise<boolean> {
  const work = Promise.resolve(running.get(signingId))
    .then(() => complete(deps, signingId))
    .catch(error => deps.log.error({ err: error, signingId }, 'a signing could not be completed'))
  running.set(signingId, work)
  await work
  if (running.get(signingId) === work) running.delete(signingId)
  return signingById(deps.db, signingId)?.state === 'complete'
}

/**
 * Somebody is to sign, or to be left out. Without anybody missing an addendum is in force, so the last one is not taken for
 * nights that are gone.
 * @throws AppError conflict for an addendum that is not open, and like `requireNights`
 */
export function requireOneFewer(deps: Deps, db: Db, { kind, leaseId, signers }: Signing): void {
  if (kind === 'lease') return
  const found = findAddendum(db, leaseId)
  const { of, signed } = signingCount(signers)
  if (signed + 1 === of) requireNights(deps, db, { role: 'tenant' }, found)
  else requireOpen(deps, found)
}

/** After the last signature, an addendum keeps its nights until its PDF is stored, even past its deadline. */
export function keepNights(deps: Deps, tx: Tx, signingId: string): void {
  const signing = signingById(tx, signingId)
  if (!signing || completeSince(signing.signers) === null) return
  const untilAt = new Date(deps.clock.now().getTime() + keptMs).toISOString()
  keepClaimsOf(tx, signing.leaseId, untilAt)
}

type Finished = { signing: Signing; signers: SignerRow[]; signedAt: string } & Document

/** The signing with all it needs; undefined while somebody is missing, and once it is closed. */
function finished(db: Db, id: string): Finished | undefined {
  const signing = signingById(db, id)
  if (signing?.state !== 'open') return undefined
  const signedAt = completeSince(signing.signers)
  const record = recordOf(db, signing)
  if (signedAt === null || !record) return undefined
  const signers = signing.signers.filter(({ removedAt }) => removedAt === null)
  return { signing, signers, signedAt, ...documentIn(db, record, signing.leaseId) }
}

async function complete(deps: Deps, id: string): Promise<void> {
  const known = finished(deps.db, id)
  if (!known) return
  const content = await deps.renderer.signingPdf(await signedDocument(deps, known))
  const file = { content, originalName: pdfNameOf(known, '-signed'), contentType: 'application/pdf' }
  await storeFile(deps, 'signing', file, (tx, file) => {
    const now = finished(tx, id)
    if (!now || isSigned(now.lease) || keyOf(now) !== keyOf(known))
      throw new AppError('conflict', 'The signing has changed in the meantime.')
    markComplete(deps, tx, now, file)
  })
}

/** What the file says. */
const keyOf = ({ lease, signers }: Finished): string =>
  JSON.stringify([lease.textSha256, signers.map(({ id, signedAt }) => [id, signedAt])])

async function signedDocument(deps: Deps, { lease, record, signedAt, signers }: Finished) {
  const { companyName, propertyName, timeZone } = currentSite(deps)
  return {
    text: lease.text,
    propertyName,
    timeZone,
    signedAt,
    landlordName: companyName,
    heading: titleOf(lease),
    applicationNumber: record.application.number,
    preparedAt: lease.generatedAt,
    signers: await Promise.all(signers.map(signer => entryOf(deps, signer, lease.kind))),
  }
}

async function entryOf(deps: Deps, signer: SignerRow, document: SignedDocument) {
  const { email, imageFileId, noticeSha256, role, textSha256 } = signer
  const file = fileOf(deps.db, imageFileId)
  return {
    title: signerTitles[role],
    fullName: signerName(signer),
    name: signer.mode === 'type' ? (signer.typedName ?? '') : signerName(signer),
    mode: signer.mode === 'type' ? ('typed' as const) : ('drawn' as const),
    pngBytes: file && new Uint8Array(await readStoredFile(deps, file)),
    note: role === 'guarantor' ? guaranteeSentence : undefined,
    email,
    noticeSha256,
    textSha256,
    signedAt: signer.signedAt ?? '',
    consentVersion: signer.consentVersion ?? '',
    consentSentence: consentSentenceOf(document),
    address: signer.address ?? '',
    userAgent: signer.userAgent ?? '',
  }
}

function markComplete(deps: Deps, tx: Tx, done: Finished, file: StoredFile): void {
  const { lease, record, signedAt, signers, signing } = done
  const at = nowIso(deps)
  // The program acts on behalf of the tenant.
  const tenant = {
    role: 'tenant' as const,
    userId: record.application.userId,
    requestOrigin: { address: '', userAgent: '' },
  }
  const signed = storeSigned(deps, tx, tenant, done, file, { signedAt, signedBy: 'signature' })
  const others = signers
    .filter(({ role }) => role !== 'tenant' && role !== 'owner')
    .map(({ email: to, firstName, id: recipient }) => ({ recipient, to, firstName, byLink: true as const }))
  mailSigned(deps, tx, signed, file, others)
  tx.update(signings).set({ state: 'complete', closedAt: at }).where(eq(signings.id, signing.id)).run()
  for (const { id } of signers) prolongLinks(tx, at, 'sign', id, prolongedMs)
  recordEvent(tx, at, system, 'lease.signed', record.application.id, {
    signingId: signing.id,
    document: lease.kind,
    signers: signers.length,
    leaseTextSha256: lease.textSha256,
    fileId: file.id,
    fileSha256: file.sha256,
  })
}
