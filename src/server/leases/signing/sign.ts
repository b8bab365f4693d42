import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { signers } from '../../../../db/schema.ts'
import type { Actor, Admin, Tenant } from '../../../domain/accounts/access.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { consentVersion, noticeFor, signingMode } from '../../../domain/leases/lease-signing.ts'
import type { SignLeaseInput } from '../../../domain/leases/lease-signing-form.ts'
import { signerName, signingMessages } from '../../../domain/leases/signing.ts'
import type { OwnSignature } from '../../../domain/leases/signing-input.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { storeFile } from '../../kernel/files/stored-file.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { currentSite } from '../../site/content/published.ts'
import { documentIn, requireSignable } from '../records.ts'
import {
  leaseChangedMessage,
  noticeChangedMessage,
  oneAtATime,
  readImage,
  requireComplete,
  requireImages,
  requireShown,
} from '../signature.ts'
import { completeSigning, keepNights, requireOneFewer } from './complete.ts'
import { countRendering, openByToken } from './open.ts'
import { emailOf, findSigner, type Signing, setSignerEmail } from './records.ts'

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
  await countRendering(deps, openByToken(deps, deps.db, token))
  return sign(deps, actor, db => openByToken(deps, db, token).signer.id, given)
}

/** The owner's signature, with a session in place of a link. @throws AppError as in `signByLink` */
export async function countersign(
  deps: Deps,
  actor: Admin,
  signerId: string,
  given: OwnSignature,
): Promise<void> {
  const role = findSigner(deps.db, signerId)?.signer.role
  if (role === undefined) throw new AppError('not_found', 'There is no such signer.')
  if (role !== 'owner') throw new AppError('conflict', 'Only the owner signs here.')
  await sign(deps, actor, () => signerId, given)
}

/**
 * The signed-in tenant's own signature while the invitations are out (SIGNER-08). The hashes may be missing, as they may
 * for a lease that nobody else signs; the certificate says so.
 * @throws AppError as in `signByLink`; bad_request at `typedName2` for anything of the co-applicant
 */
export async function signOwnPart(
  deps: Deps,
  tenant: Tenant,
  { signers }: Signing,
  { leaseTextSha256: textSha256, ...given }: Omit<SignLeaseInput, 'id'>,
): Promise<SignedState> {
  if (
    given.typedName2 ||
    given.signatureImageBase64_2 ||
    given.consent2 !== undefined ||
    given.coApplicantEmail
  )
    throw fieldError('typedName2', signingMessages.ownLink)
  const own = signers.find(({ role }) => role === 'tenant')
  if (!own) throw new Error('a signing without its tenant')
  await deps.limits.consume('leasePdfByUser', tenant.userId)
  return sign(deps, tenant, () => own.id, { ...given, textSha256 }, { hashesMayBeMissing: true })
}

type Ready = ReturnType<typeof requireReady>

/** @throws AppError not_found; conflict for a signing or addendum that is closed, a second signature, or an application not booked */
function requireReady(deps: Deps, db: Db, signerId: string) {
  const found = findSigner(db, signerId)
  if (!found) throw new AppError('not_found', signingMessages.invalidLink)
  const { record, signer, signing } = found
  if (signer.signedAt !== null) throw new AppError('conflict', signingMessages.alreadySigned)
  if (signing.state !== 'open' || signer.removedAt !== null)
    throw new AppError('conflict', signingMessages.notOpen)
  const document = documentIn(db, record, signing.leaseId)
  requireSignable(document)
  requireOneFewer(deps, db, signing)
  return { signer, signing, document }
}

async function sign(
  deps: Deps,
  actor: Actor,
  findSigner: (db: Db) => string,
  given: OwnSignature,
  { hashesMayBeMissing = false } = {},
): Promise<SignedState> {
  return oneAtATime(findSigner(deps.db), async () => {
    const { document, signer, signing } = requireReady(deps, deps.db, findSigner(deps.db))
    requireComplete(given)
    const { kind, textSha256 } = document.lease
    const { noticeSha256 } = await noticeFor(currentSite(deps), kind, signer.role)
    for (const field of ['textSha256', 'noticeSha256'] as const)
      if (given[field] === undefined && !hashesMayBeMissing) throw fieldError(field, signingMessages.notRead)
    requireShown(given.textSha256, textSha256, leaseChangedMessage)
    requireShown(given.noticeSha256, noticeSha256, noticeChangedMessage)
    requireImages(given)
    const png = await readImage(deps, given)
    const record = (tx: Tx, imageFileId: string | null) => {
      const now = requireReady(deps, tx, findSigner(tx))
      requireShown(textSha256, now.document.lease.textSha256, leaseChangedMessage)
      storeSignature(deps, tx, actor, now, given, imageFileId)
    }
    const image = png && { content: png, originalName: 'signature.png', contentType: 'image/png' }
    if (image) await storeFile(deps, 'signer', image, (tx, file) => record(tx, file.id))
    else await deps.write(tx => record(tx, null))
    failpoint('after-signer-signed')
    return (await completeSigning(deps, signing.id)) ? 'complete' : 'signed'
  })
}

function storeSignature(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  { document: { lease, record }, signer, signing }: Ready,
  given: OwnSignature,
  imageFileId: string | null,
): void {
  const at = nowIso(deps)
  const mode = signingMode(given)
  const stored = {
    mode,
    imageFileId,
    consentVersion,
    typedName: mode === 'type' ? given.typedName : null,
    textSha256: given.textSha256 ?? null,
    noticeSha256: given.noticeSha256 ?? null,
  }
  const { address, userAgent } = actor.requestOrigin
  setSignerEmail(deps, tx, signer, emailOf(deps, signer, record.account.email))
  const signature = { ...stored, signedAt: at, address, userAgent }
  tx.update(signers).set(signature).where(eq(signers.id, signer.id)).run()
  keepNights(deps, tx, signing.id)
  recordEvent(tx, at, actor, 'lease.signer_signed', record.application.id, {
    signingId: signing.id,
    signerId: signer.id,
    role: signer.role,
    name: signerName(signer),
    ...stored,
    consent: 'given',
    document: lease.kind,
    leaseTextSha256: lease.textSha256,
  })
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
