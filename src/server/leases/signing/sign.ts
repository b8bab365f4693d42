import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { applications, signers } from '../../../../db/schema.ts'
import type { Actor, Admin, RequestOrigin, Tenant } from '../../../domain/accounts/access.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import {
  consentSentenceOf,
  consentVersion,
  hashOfNotice,
  signerNotice,
  signingError,
  signingMode,
} from '../../../domain/leases/lease-signing.ts'
import type { SignLeaseInput } from '../../../domain/leases/lease-signing-form.ts'
import { type SignerRole, signerName, signingMessages } from '../../../domain/leases/signing.ts'
import type { OwnSignature } from '../../../domain/leases/signing-input.ts'
import { type OwnApplication, selectRecords } from '../../bookings/records.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { storeFile } from '../../kernel/files/stored-file.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { createTally } from '../../lib/tally.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { currentSite } from '../../site/content/published.ts'
import { signatureSizeError } from '../../workers/pdf/signature-size.ts'
import { requireSignable } from '../records.ts'
import { leaseChangedMessage, noticeChangedMessage, readImage, signingAlready } from '../signature.ts'
import { completeSigning, keepNights, requireOneFewer } from './complete.ts'
import { countRendering, openByToken } from './open.ts'
import {
  applicationIdOf,
  documentOf,
  emailOf,
  type SignerRow,
  type Signing,
  setSignerEmail,
  signerById,
} from './records.ts'

const busy = createTally()

export type SignedState = 'signed' | 'complete'

/**
 * Signs by the link of a mail; the last signature completes the document (SIGNER-06, SIGNER-11).
 * @throws AppError not_found for a link that opens nothing; bad_request at the missing field; conflict for another text
 * or notice, for a second signature, and for an application that is not booked; too_many
 */
export async function signByLink(
  deps: Deps,
  actor: Actor,
  { token, ...given }: OwnSignature & { token: string },
): Promise<SignedState> {
  const read = (db: Db) => openByToken(deps, db, token).signer.id
  await countRendering(deps, openByToken(deps, deps.db, token))
  return sign(deps, actor, read, given)
}

/** The owner's signature, with a session in place of a link. @throws AppError as in `signByLink` */
export async function countersign(
  deps: Deps,
  actor: Admin,
  signerId: string,
  given: OwnSignature,
): Promise<void> {
  const role = signerById(deps.db, signerId)?.signer.role
  if (role === undefined) throw new AppError('not_found', 'There is no such signer.')
  if (role !== 'owner') throw new AppError('conflict', 'Only the owner signs here.')
  await sign(deps, actor, () => signerId, given)
}

type OwnPart = Omit<OwnSignature, 'textSha256' | 'noticeSha256'> &
  Pick<
    SignLeaseInput,
    'coApplicantEmail' | 'consent2' | 'noticeSha256' | 'signatureImageBase64_2' | 'typedName2'
  > & {
    textSha256: string | undefined
  }

/**
 * The signed-in tenant's own signature while the invitations are out (SIGNER-08). The hashes may be missing, as they may
 * for a lease that nobody else signs; the certificate says so.
 * @throws AppError as in `signByLink`; bad_request at `typedName2` for anything of the co-applicant
 */
export async function signOwnPart(
  deps: Deps,
  tenant: Tenant,
  signing: Signing,
  { coApplicantEmail, consent2, signatureImageBase64_2, typedName2, ...given }: OwnPart,
): Promise<SignedState> {
  if (typedName2 || signatureImageBase64_2 || consent2 !== undefined || coApplicantEmail)
    throw fieldError('typedName2', signingMessages.ownLink)
  const own = signing.signers.find(({ role }) => role === 'tenant')
  if (!own) throw new Error('a signing without its tenant')
  await deps.limits.consume('leasePdfByUser', tenant.userId)
  return sign(deps, tenant, () => own.id, given, { hashesMayBeMissing: true })
}

type Ready = {
  signer: SignerRow
  signing: Signing
  record: OwnApplication
  document: ReturnType<typeof documentOf>
}

/** @throws AppError not_found; conflict for a signing or addendum that is closed, a second signature, or an application not booked */
function requireReady(deps: Deps, db: Db, signerId: string): Ready {
  const found = signerById(db, signerId)
  const applicationId = found && applicationIdOf(db, found.signing)
  const record = applicationId && selectRecords(db).where(eq(applications.id, applicationId)).get()
  if (!found || !record) throw new AppError('not_found', signingMessages.invalidLink)
  const { signer, signing } = found
  if (signer.signedAt !== null) throw new AppError('conflict', signingMessages.alreadySigned)
  if (signing.state !== 'open' || signer.removedAt !== null)
    throw new AppError('conflict', signingMessages.notOpen)
  const document = documentOf(db, record.application.id, signing.leaseId)
  // Whoever holds the link or the session was checked before.
  const own = { ...record, lease: document.lease } as OwnApplication
  requireSignable(own)
  requireOneFewer(deps, db, signing, document.lease.kind)
  return { signer, signing, record: own, document }
}

async function sign(
  deps: Deps,
  actor: Actor,
  findSigner: (db: Db) => string,
  given: OwnSignature,
  { hashesMayBeMissing = false } = {},
): Promise<SignedState> {
  const signerId = findSigner(deps.db)
  if (busy.of(signerId) > 0) throw signingAlready()
  const leave = busy.enter(signerId)
  try {
    const signingId = await store(deps, actor, findSigner, given, hashesMayBeMissing)
    failpoint('after-signer-signed')
    return (await completeSigning(deps, signingId)) ? 'complete' : 'signed'
  } finally {
    leave()
  }
}

async function store(
  deps: Deps,
  actor: Actor,
  findSigner: (db: Db) => string,
  given: OwnSignature,
  hashesMayBeMissing: boolean,
): Promise<string> {
  const { document, signer, signing } = requireReady(deps, deps.db, findSigner(deps.db))
  const problem = signingError({ ...given, typedName2: '', signatureImageBase64_2: '' }, false)
  if (problem) throw fieldError(problem.field, problem.message)
  const { kind, textSha256 } = document.lease
  const notice = await noticeHashFor(deps, signer.role, kind)
  for (const field of ['textSha256', 'noticeSha256'] as const)
    if (given[field] === undefined && !hashesMayBeMissing) throw fieldError(field, signingMessages.notRead)
  if (given.textSha256 !== undefined && given.textSha256 !== textSha256)
    throw new AppError('conflict', leaseChangedMessage)
  if (given.noticeSha256 !== undefined && given.noticeSha256 !== notice)
    throw new AppError('conflict', noticeChangedMessage)
  const field = 'signatureImageBase64'
  const tooLarge = given[field] && signatureSizeError(given[field])
  if (tooLarge) throw fieldError(field, tooLarge)
  const png = given[field] ? await readImage(deps, field, given[field]) : undefined
  const mode = signingMode({ ...given, typedName2: '', signatureImageBase64_2: '' })
  // An empty drawing.
  if (mode === 'draw' && !png) throw fieldError(field, 'Please draw your signature before submitting.')
  const record = (tx: Tx, imageFileId: string | null) => {
    const now = requireReady(deps, tx, findSigner(tx))
    if (now.document.lease.textSha256 !== textSha256) throw new AppError('conflict', leaseChangedMessage)
    storeSignature(deps, tx, actor, now, {
      mode,
      imageFileId,
      consentVersion,
      typedName: mode === 'type' ? given.typedName : null,
      textSha256: given.textSha256 ?? null,
      noticeSha256: given.noticeSha256 ?? null,
    })
  }
  if (!png) await deps.write(tx => record(tx, null))
  else
    await storeFile(
      deps,
      'signer',
      { content: png, originalName: 'signature.png', contentType: 'image/png' },
      (tx, file) => record(tx, file.id),
    )
  return signing.id
}

type Stored = Pick<
  SignerRow,
  'consentVersion' | 'imageFileId' | 'mode' | 'noticeSha256' | 'textSha256' | 'typedName'
>

function storeSignature(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  { document, record, signer, signing }: Ready,
  stored: Stored,
): void {
  const at = nowIso(deps)
  const { address, userAgent }: RequestOrigin = actor.requestOrigin
  setSignerEmail(deps, tx, signer, emailOf(deps, signer, record.account.email))
  tx.update(signers)
    .set({ ...stored, signedAt: at, address, userAgent })
    .where(eq(signers.id, signer.id))
    .run()
  keepNights(deps, tx, signing.id)
  recordEvent(tx, at, actor, 'lease.signer_signed', record.application.id, {
    signingId: signing.id,
    signerId: signer.id,
    role: signer.role,
    name: signerName(signer),
    ...stored,
    consent: 'given',
    document: document.lease.kind,
    leaseTextSha256: document.lease.textSha256,
  })
}

/** The hash of the notice that a signer reads now. */
export function noticeHashFor(deps: Deps, role: SignerRole, kind: 'lease' | 'addendum'): Promise<string> {
  return hashOfNotice(signerNotice(currentSite(deps), role, kind), consentSentenceOf(kind))
}

/**
 * Notes that a signer does not want to sign, and mails the owner once; the link still signs (SIGNER-16).
 * @throws AppError not_found for a link that opens nothing; conflict once signed
 */
export async function declineToSign(deps: Deps, actor: Actor, token: string, reason: string): Promise<void> {
  await deps.write(tx => {
    const { record, signer } = openByToken(deps, tx, token)
    if (signer.signedAt !== null) throw new AppError('conflict', signingMessages.alreadySigned)
    // Anybody with the link could press it again and again.
    if (signer.declinedAt !== null) return
    const at = nowIso(deps)
    tx.update(signers).set({ declinedAt: at, declineReason: reason }).where(eq(signers.id, signer.id)).run()
    const { id: applicationId, number: applicationNumber } = record.application
    const name = signerName(signer)
    recordEvent(tx, at, actor, 'lease.signer_declined', applicationId, { signerId: signer.id, name, reason })
    enqueueMail(tx, at, {
      kind: 'sign-declined',
      to: currentSite(deps).ownerEmail,
      replyTo: signer.email,
      dedupeKey: `sign-declined:${signer.id}`,
      props: { name, reason, applicationId, applicationNumber },
    })
  })
}
