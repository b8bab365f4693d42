import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { applications, files, signings } from '../../../../db/schema.ts'
import { system, type Tenant } from '../../../domain/accounts/access.ts'
import { emailKey } from '../../../domain/accounts/account-rules.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { leaseFileName, leaseTitle } from '../../../domain/leases/lease-layout.ts'
import { consentSentenceOf, guaranteeSentence, signerTitles } from '../../../domain/leases/lease-signing.ts'
import { completeSince, signerName, signingCount } from '../../../domain/leases/signing.ts'
import { prolongLinks } from '../../auth/sessions/access-links.ts'
import { keepClaimsOf } from '../../bookings/claims.ts'
import { isSigned, type OwnApplication, selectRecords } from '../../bookings/records.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import type { StoredFile } from '../../kernel/file-store.ts'
import { readStoredFile, storeFile } from '../../kernel/files/stored-file.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { leftToPay } from '../../money/records.ts'
import { currentSite } from '../../site/content/published.ts'
import { applyAddendum, requireNights } from '../addenda/apply.ts'
import { mailSignedAddendum } from '../addenda/mails.ts'
import { findAddendum, requireOpen } from '../addenda/records.ts'
import { setSignature, whoseLease } from '../records.ts'
import {
  applicationIdOf,
  documentOf,
  finishedSignings,
  type SignerRow,
  type Signing,
  signingById,
} from './records.ts'

/** How much longer the links open the signed document. */
const prolongedMs = 30 * dayMs

/** Longer than a maintained server is ever down. */
const keptMs = 30 * dayMs

/** Completes what was interrupted after the last signature (SIGNER-11). */
export async function tickSignings(deps: Deps): Promise<void> {
  for (const id of finishedSignings(deps.db)) await completeSigning(deps, id)
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
export function requireOneFewer(
  deps: Deps,
  db: Db,
  { leaseId, signers }: Signing,
  document: 'lease' | 'addendum',
): void {
  if (document === 'lease') return
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

type Finished = {
  signing: Signing
  signers: SignerRow[]
  signedAt: string
  record: OwnApplication
} & ReturnType<typeof documentOf>

/** The signing with all it needs; undefined while somebody is missing, and once it is closed. */
function finished(db: Db, id: string): Finished | undefined {
  const signing = signingById(db, id)
  const applicationId = signing && applicationIdOf(db, signing)
  if (signing?.state !== 'open' || applicationId === undefined) return undefined
  const signedAt = completeSince(signing.signers)
  const record = selectRecords(db).where(eq(applications.id, applicationId)).get()
  if (signedAt === null || !record) return undefined
  const signers = signing.signers.filter(({ removedAt }) => removedAt === null)
  const document = documentOf(db, applicationId, signing.leaseId)
  // The program itself acts, for whoever signed last.
  return { signing, signers, signedAt, record: record as OwnApplication, ...document }
}

async function complete(deps: Deps, id: string): Promise<void> {
  const known = finished(deps.db, id)
  if (!known) return
  const content = await deps.renderer.signingPdf(await signedDocument(deps, known))
  const { firstName, lastName } = known.record.application
  const originalName = leaseFileName(firstName, lastName)
    .replace(/^lease-agreement/, known.lease.kind === 'lease' ? 'lease-agreement' : 'addendum')
    .replace(/\.pdf$/, '-signed.pdf')
  await storeFile(deps, 'signing', { content, originalName, contentType: 'application/pdf' }, (tx, file) => {
    const now = finished(tx, id)
    if (!now || isSigned(now.lease) || keyOf(now) !== keyOf(known))
      throw new AppError('conflict', 'The signing has changed in the meantime.')
    markComplete(deps, tx, now, file)
  })
}

/** What the file says. */
const keyOf = ({ lease, signers }: Finished): string =>
  JSON.stringify([lease.textSha256, signers.map(({ id, signedAt }) => [id, signedAt])])

async function signedDocument(deps: Deps, { lease, record, signedAt, signers, text }: Finished) {
  const { companyName, propertyName, timeZone } = currentSite(deps)
  return {
    text,
    propertyName,
    timeZone,
    signedAt,
    landlordName: companyName,
    heading: lease.kind === 'lease' ? leaseTitle : `Addendum No. ${lease.number}`,
    applicationNumber: record.application.number,
    preparedAt: lease.generatedAt,
    signers: await Promise.all(signers.map(signer => entryOf(deps, signer, lease.kind))),
  }
}

async function entryOf(deps: Deps, signer: SignerRow, document: 'lease' | 'addendum') {
  const { email, imageFileId, noticeSha256, role, textSha256 } = signer
  const file = imageFileId ? deps.db.select().from(files).where(eq(files.id, imageFileId)).get() : undefined
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
  const signature = { signedAt, signedBy: 'signature' as const, fileId: file.id }
  if (lease.kind === 'addendum') {
    const signed = applyAddendum(deps, tx, tenantOf(record), findAddendum(tx, lease.id), signature)
    const byLink = signers.filter(({ role }) => role !== 'tenant' && role !== 'owner')
    mailSignedAddendum(deps, tx, signed, file, byLink)
  } else {
    setSignature(tx, at, lease, signature)
    mailCopies(deps, tx, done, file)
  }
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

/** A signed addendum changes the booking in the name of its tenant. */
const tenantOf = ({ application }: OwnApplication): Tenant => ({
  role: 'tenant',
  userId: application.userId,
  requestOrigin: { address: '', userAgent: '' },
})

/** One to each address, the owner's included (SIGNER-12). */
function mailCopies(deps: Deps, tx: Tx, { record, signers }: Finished, file: StoredFile): void {
  const { account, application } = record
  const { ownerEmail } = currentSite(deps)
  const copies = [
    {
      name: 'tenant',
      to: account.email,
      firstName: application.firstName,
      stay: whoseLease(record).stay,
      left: leftToPay(deps, tx, application.id),
    },
    { name: 'owner', to: ownerEmail, firstName: '', forOwner: whoseLease(record) },
    ...signers
      .filter(({ role }) => role !== 'tenant' && role !== 'owner')
      .map(({ email, firstName, id }) => ({ name: id, to: email, firstName, byLink: true as const })),
  ]
  const seen = new Set<string>()
  for (const { name, to, ...props } of copies) {
    if (seen.has(emailKey(to))) continue
    seen.add(emailKey(to))
    enqueueMail(tx, nowIso(deps), {
      kind: 'lease-signed-copy',
      to,
      dedupeKey: `lease-signed-copy:${file.id}:${name}`,
      props: {
        ...props,
        fileId: file.id,
        applicationId: application.id,
        applicationNumber: application.number,
      },
    })
  }
}
