import type { Db } from '../../../db/open.ts'
import { requireTenant, type SignedIn, type Tenant } from '../../domain/accounts/access.ts'
import { coSignerName } from '../../domain/bookings/people.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import {
  consentVersion,
  noticeFor,
  type SignatureInput,
  signingMode,
} from '../../domain/leases/lease-signing.ts'
import type { SignLeaseInput } from '../../domain/leases/lease-signing-form.ts'
import { signingMessages } from '../../domain/leases/signing.ts'
import { signingSection } from '../../domain/leases/signing-input.ts'
import { type ApplicationRow, getApplicationRecord } from '../bookings/records.ts'
import { presentForTenant } from '../bookings/views.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { storeFile } from '../kernel/files/stored-file.ts'
import { currentSite } from '../site/content/published.ts'
import { readSection } from '../site/settings.ts'
import type { LeaseSignature } from '../workers/pdf/certificate-pages.ts'
import { type Document, loadDocument, pdfNameOf, requireSignable, titleOf } from './records.ts'
import {
  emailChangedMessage,
  leaseChangedMessage,
  noticeChangedMessage,
  oneAtATime,
  readImage,
  requireComplete,
  requireImages,
  requireShown,
} from './signature.ts'
import { mailSigned, storeSigned } from './signed.ts'
import { openSigningOf } from './signing/records.ts'
import { signOwnPart } from './signing/sign.ts'

/**
 * Signs the lease in the app.
 * @throws AppError forbidden for an admin; not_found, also before generation; conflict if signed; as in `signInSession`
 */
export async function signLease(deps: Deps, actor: SignedIn, input: SignLeaseInput) {
  const tenant = requireTenant(actor, 'Only the tenant can sign the lease.')
  return signInSession(deps, tenant, input, {
    load: db => loadDocument(db, tenant, input.id),
    requireReady: (db, document) => {
      requireSignable(document)
      requireShown(input.leaseTextSha256, document.lease.textSha256, leaseChangedMessage)
      requireNoOwnLink(db, document)
    },
    answer: db => ({
      message: 'Lease signed successfully',
      application: presentForTenant(getApplicationRecord(db, tenant, input.id)),
    }),
  })
}

/** @throws AppError conflict where the co-applicant signs by an own link (SIGNER-01) */
function requireNoOwnLink(db: Db, { record }: Document): void {
  const coSigner = coSignerName(record.application)
  if (coSigner !== undefined && readSection(db, signingSection).body.separate)
    throw new AppError('conflict', signingMessages.inviteFirst(coSigner))
}

/** Which text and notice the client confirmed to have shown, for the certificate. */
type Shown = { textConfirmed: boolean; noticeSha256: string; noticeConfirmed: boolean }

/** What differs between the lease and an addendum. */
type InSession<Answer> = {
  load: (db: Db) => Document
  /** Checks that apply only when nobody is invited to sign. */
  requireReady?: (db: Db, document: Document) => void
  answer: (db: Db, isSigned: boolean) => Answer
}

/**
 * Signs a document for everybody, or while invitations are out for the tenant alone: stores the PDF with its certificate,
 * the audit event and the mailed copies in one transaction (SIGN-15, CHANGE-25).
 * @throws AppError conflict if the text or the notice has changed, if invitations go out, or if the tenant is signing
 * already; bad_request for missing or unreadable input; too_many; unavailable
 */
export function signInSession<Answer>(
  deps: Deps,
  tenant: Tenant,
  input: Omit<SignLeaseInput, 'id'>,
  { answer, load, requireReady }: InSession<Answer>,
): Promise<Answer> {
  return oneAtATime(tenant.userId, async () => {
    const known = load(deps.db)
    const { lease, record } = known
    const invited = openSigningOf(deps.db, lease.id)
    if (invited) {
      await signOwnPart(deps, tenant, invited, input)
      return answer(deps.db, false)
    }
    requireReady?.(deps.db, known)
    const { consentSentence, noticeSha256 } = await noticeFor(currentSite(deps), lease.kind)
    requireShown(input.noticeSha256, noticeSha256, noticeChangedMessage)
    requireSignatures(record.application, input)
    await deps.limits.consume('leasePdfByUser', tenant.userId)
    const signatures = await signaturesOf(deps, record.application, input)
    const signedAt = nowIso(deps)
    const shown = {
      textConfirmed: input.leaseTextSha256 !== undefined,
      noticeSha256,
      noticeConfirmed: input.noticeSha256 !== undefined,
    }
    const content = await drawSigned(deps, tenant, known, signatures, { signedAt, consentSentence, shown })
    const file = { content, originalName: pdfNameOf(known, '-signed'), contentType: 'application/pdf' }
    return storeFile(deps, 'sign', file, (tx, file) => {
      const now = load(tx)
      requireReady?.(tx, now)
      requireShown(lease.textSha256, now.lease.textSha256, leaseChangedMessage)
      // The certificate names it.
      requireShown(record.account.email, now.record.account.email, emailChangedMessage)
      // Invitations were sent while the PDF was drawn.
      if (openSigningOf(tx, lease.id)) throw new AppError('conflict', signingMessages.alreadyOut)
      const signed = storeSigned(deps, tx, tenant, now, file, { signedAt, signedBy: 'signature' })
      const kind = lease.kind === 'lease' ? 'lease.signed' : 'lease.addendum_signed'
      recordEvent(tx, signedAt, tenant, kind, lease.applicationId, {
        ...eventOf(lease, input, signatures, shown),
        fileId: file.id,
        fileSha256: file.sha256,
      })
      const { firstName, lastName, secondApplicantFirstName } = record.application
      const coApplicant = {
        recipient: 'co-applicant',
        to: input.coApplicantEmail ?? '',
        firstName: secondApplicantFirstName,
        givenBy: `${firstName} ${lastName}`,
      }
      mailSigned(deps, tx, signed, file, coApplicant.to ? [coApplicant] : [])
      return answer(tx, true)
    })
  })
}

type Evidence = { signedAt: string; consentSentence: string; shown: Shown }

/** The PDF with the signatures and the certificate. @throws AppError unavailable */
function drawSigned(
  deps: Deps,
  { requestOrigin }: Tenant,
  { lease, record }: Document,
  signatures: LeaseSignature[],
  { consentSentence, shown, signedAt }: Evidence,
) {
  const { companyName, propertyName, timeZone } = currentSite(deps)
  return deps.renderer.signedLeasePdf({
    text: lease.text,
    signatures,
    ...(lease.kind === 'addendum' && { title: titleOf(lease) }),
    certificate: {
      applicationNumber: record.application.number,
      landlordName: companyName,
      propertyName,
      timeZone,
      accountEmail: record.account.email,
      leaseGeneratedAt: lease.generatedAt,
      signedAt,
      consentVersion,
      consentSentence,
      ipAddress: requestOrigin.address,
      userAgent: requestOrigin.userAgent,
      ...shown,
    },
  })
}

/** What the audit log keeps of the signatures. */
function eventOf(
  { kind, number, textSha256 }: Document['lease'],
  input: SignatureInput,
  [first, second]: LeaseSignature[],
  { noticeConfirmed, noticeSha256, textConfirmed }: Shown,
) {
  const names = {
    mode: signingMode(input),
    name: first?.name ?? null,
    coApplicantName: second?.name ?? null,
    consentVersion,
    noticeSha256,
  }
  if (kind === 'addendum') return { addendum: number, ...names, addendumTextSha256: textSha256 }
  return {
    ...names,
    consent: 'given',
    coApplicantConsent: second ? (second.hasOwnConsent ? 'given' : 'sent for both') : null,
    coApplicantEmail: input.coApplicantEmail || null,
    noticeShown: noticeConfirmed ? 'confirmed' : 'not confirmed',
    leaseTextSha256: textSha256,
    textShown: textConfirmed ? 'confirmed' : 'not confirmed',
  }
}

/** Everything except the images' pixels. @throws AppError bad_request at the missing field */
function requireSignatures(row: ApplicationRow, input: SignatureInput): void {
  const hasCoSigner = coSignerName(row) !== undefined
  requireComplete(input, hasCoSigner)
  if (!hasCoSigner && input.coApplicantEmail)
    throw fieldError('coApplicantEmail', signingMessages.noCoApplicant)
  requireImages(input)
}

/** The tenant's signature and the co-applicant's. @throws AppError as in `readImage` */
async function signaturesOf(
  deps: Deps,
  row: ApplicationRow,
  input: SignatureInput,
): Promise<LeaseSignature[]> {
  const isTyped = signingMode(input) === 'type'
  const mode = isTyped ? ('typed' as const) : ('drawn' as const)
  const name = isTyped ? input.typedName : `${row.firstName} ${row.lastName}`
  const first = { mode, name, pngBytes: await readImage(deps, input), hasOwnConsent: true }
  const coSigner = coSignerName(row)
  if (coSigner === undefined) return [first]
  const pngBytes = await readImage(deps, input, '_2')
  const name2 = isTyped ? (input.typedName2 ?? '') : coSigner
  return [first, { mode, name: name2, pngBytes, hasOwnConsent: input.consent2 === true }]
}
