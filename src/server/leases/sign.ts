import type { Db, Tx } from '../../../db/open.ts'
import { requireTenant, type SignedIn, type Tenant } from '../../domain/accounts/access.ts'
import { emailKey } from '../../domain/accounts/account-rules.ts'
import { coSignerName } from '../../domain/bookings/people.ts'
import { AppError, fieldError } from '../../domain/common/errors.ts'
import { leaseMessages } from '../../domain/leases/lease.ts'
import { leaseFileName } from '../../domain/leases/lease-layout.ts'
import {
  consentSentenceOf,
  consentVersion,
  noticeSha256,
  type SignedDocument,
  signingError,
  signingMode,
} from '../../domain/leases/lease-signing.ts'
import type { SignLeaseInput } from '../../domain/leases/lease-signing-form.ts'
import { signingMessages } from '../../domain/leases/signing.ts'
import { signingSection } from '../../domain/leases/signing-input.ts'
import { type ApplicationRow, getApplicationRecord } from '../bookings/records.ts'
import { presentForTenant } from '../bookings/views.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import type { StoredFile } from '../kernel/file-store.ts'
import { storeFile } from '../kernel/files/stored-file.ts'
import { createTally } from '../lib/tally.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { leftToPay } from '../money/records.ts'
import { currentSite } from '../site/content/published.ts'
import { readSection } from '../site/settings.ts'
import type { LeaseSignature } from '../workers/pdf/certificate-pages.ts'
import { signatureSizeError } from '../workers/pdf/signature-size.ts'
import { type GeneratedApplication, loadLease, requireSignable, setSignature, whoseLease } from './records.ts'
import { leaseChangedMessage, noticeChangedMessage, readImage, signingAlready } from './signature.ts'
import { openSigningOf } from './signing/records.ts'
import { signOwnPart } from './signing/sign.ts'

/** Which text and notice the client confirmed to have shown, for the certificate. */
export type Shown = { textConfirmed: boolean; noticeSha256: string; noticeConfirmed: boolean }

/** A signature may be 2 MB, and waits with them for the thread that draws the PDF: one of each person at a time. */
const signing = createTally()

/** @throws AppError conflict while this person is signing something already */
export async function signAlone<T>(userId: string, sign: () => Promise<T>): Promise<T> {
  if (signing.of(userId) > 0) throw signingAlready()
  const leave = signing.enter(userId)
  try {
    return await sign()
  } finally {
    leave()
  }
}

/**
 * Signs the lease in the app: stores the PDF with its certificate, the audit event and the mailed copies in one
 * transaction.
 * @throws AppError forbidden for an admin; not_found, also before generation; conflict if signed, or if the text or the
 * notice has changed, or if the tenant is signing already; bad_request for missing or unreadable input; too_many;
 * unavailable
 */
export async function signLease(deps: Deps, actor: SignedIn, input: SignLeaseInput) {
  const tenant = requireTenant(actor, 'Only the tenant can sign the lease.')
  return signAlone(tenant.userId, () => sign(deps, tenant, input))
}

async function sign(deps: Deps, tenant: Tenant, input: SignLeaseInput) {
  const record = loadLease(deps.db, tenant, input.id)
  const ownPart = openSigningOf(deps.db, record.lease.id)
  if (ownPart) {
    await signOwnPart(deps, tenant, ownPart, { ...input, textSha256: input.leaseTextSha256 })
    return {
      message: 'Lease signed successfully',
      application: presentForTenant(getApplicationRecord(deps.db, tenant, input.id)),
    }
  }
  requireUnchanged(record, input.leaseTextSha256)
  requireNoOwnLink(deps.db, record)
  const shown = await checkShown(deps, input)
  requireSignatures(record.application, input)
  await deps.limits.consume('leasePdfByUser', tenant.userId)
  const signatures = await signaturesOf(deps, record.application, input)
  const signedAt = nowIso(deps)
  const content = await deps.renderer.signedLeasePdf({
    text: record.text,
    signatures,
    certificate: { ...certificateOf(deps, tenant, record, signedAt), ...shown },
  })
  const { firstName, lastName } = record.application
  const originalName = leaseFileName(firstName, lastName).replace(/\.pdf$/, '-signed.pdf')
  return storeFile(deps, 'sign', { content, originalName, contentType: 'application/pdf' }, (tx, file) => {
    const current = loadLease(tx, tenant, input.id)
    requireUnchanged(current, record.lease.textSha256)
    requireNoOwnLink(tx, current)
    // The invitations went out meanwhile.
    if (openSigningOf(tx, current.lease.id)) throw new AppError('conflict', signingMessages.alreadyOut)
    setSignature(tx, signedAt, current.lease, { signedAt, signedBy: 'signature', fileId: file.id })
    recordEvent(tx, signedAt, tenant, 'lease.signed', input.id, {
      mode: signingMode(input),
      name: signatures[0]?.name ?? null,
      consent: 'given',
      coApplicantName: signatures[1]?.name ?? null,
      coApplicantConsent: signatures[1] ? (signatures[1].hasOwnConsent ? 'given' : 'sent for both') : null,
      coApplicantEmail: input.coApplicantEmail || null,
      consentVersion,
      noticeSha256: shown.noticeSha256,
      noticeShown: shown.noticeConfirmed ? 'confirmed' : 'not confirmed',
      leaseTextSha256: record.lease.textSha256,
      textShown: shown.textConfirmed ? 'confirmed' : 'not confirmed',
      fileId: file.id,
      fileSha256: file.sha256,
    })
    mailCopies(deps, tx, record, { at: signedAt, file, coApplicantEmail: input.coApplicantEmail })
    return {
      message: 'Lease signed successfully',
      application: presentForTenant(getApplicationRecord(tx, tenant, input.id)),
    }
  })
}

/** @throws AppError conflict */
function requireUnchanged(record: GeneratedApplication, shownSha256: string | undefined): void {
  requireSignable(record)
  if (shownSha256 !== undefined && shownSha256 !== record.lease.textSha256)
    throw new AppError('conflict', leaseChangedMessage)
}

/** @throws AppError conflict where the co-applicant signs by an own link (SIGNER-01) */
function requireNoOwnLink(db: Db, { application }: GeneratedApplication): void {
  const coSigner = coSignerName(application)
  if (coSigner !== undefined && readSection(db, signingSection).body.separate)
    throw new AppError('conflict', signingMessages.inviteFirst(coSigner))
}

/** @throws AppError conflict */
export async function checkShown(
  deps: Deps,
  input: Pick<SignLeaseInput, 'leaseTextSha256' | 'noticeSha256'>,
  document: SignedDocument = 'lease',
): Promise<Shown> {
  const current = await noticeSha256(currentSite(deps), document)
  if (input.noticeSha256 !== undefined && input.noticeSha256 !== current)
    throw new AppError('conflict', noticeChangedMessage)
  return {
    textConfirmed: input.leaseTextSha256 !== undefined,
    noticeSha256: current,
    noticeConfirmed: input.noticeSha256 !== undefined,
  }
}

/** Checks everything except the images' pixels. @throws AppError bad_request at the missing field */
export function requireSignatures(row: ApplicationRow, input: SignLeaseInput): void {
  const hasCoSigner = coSignerName(row) !== undefined
  const problem = signingError(input, hasCoSigner)
  if (problem) throw fieldError(problem.field, problem.message)
  if (!hasCoSigner && input.coApplicantEmail)
    throw fieldError('coApplicantEmail', 'This application has no co-applicant.')
  for (const field of ['signatureImageBase64', 'signatureImageBase64_2'] as const) {
    const problem = input[field] && signatureSizeError(input[field])
    if (problem) throw fieldError(field, problem)
  }
}

/** @throws AppError bad_request for an unreadable image or an empty drawing; unavailable */
export async function signaturesOf(
  deps: Deps,
  row: ApplicationRow,
  input: SignLeaseInput,
): Promise<LeaseSignature[]> {
  const mode = signingMode(input) === 'type' ? 'typed' : 'drawn'
  const signatureOf = async (which: '' | '2', name: string): Promise<LeaseSignature> => {
    const field = which === '2' ? 'signatureImageBase64_2' : 'signatureImageBase64'
    const pngBytes = input[field] ? await readImage(deps, field, input[field]) : undefined
    if (mode === 'drawn' && !pngBytes)
      throw fieldError(field, which === '2' ? leaseMessages.drawMissing2 : leaseMessages.drawMissing)
    const hasOwnConsent = which === '' || input.consent2 === true
    return { mode, name: mode === 'typed' ? input[`typedName${which}`] : name, pngBytes, hasOwnConsent }
  }
  const first = await signatureOf('', `${row.firstName} ${row.lastName}`)
  const coSigner = coSignerName(row)
  return coSigner === undefined ? [first] : [first, await signatureOf('2', coSigner)]
}

/** What the certificate of a document says beside its signatures and what was shown. */
export function certificateOf(
  deps: Deps,
  { requestOrigin }: Tenant,
  { application, account, lease }: Pick<GeneratedApplication, 'application' | 'account' | 'lease'>,
  signedAt: string,
  document: SignedDocument = 'lease',
) {
  const { companyName, propertyName, timeZone } = currentSite(deps)
  return {
    applicationNumber: application.number,
    landlordName: companyName,
    propertyName,
    timeZone,
    accountEmail: account.email,
    leaseGeneratedAt: lease.generatedAt,
    signedAt,
    consentVersion,
    consentSentence: consentSentenceOf(document),
    ipAddress: requestOrigin.address,
    userAgent: requestOrigin.userAgent,
  }
}

type Copies = { at: string; file: StoredFile; coApplicantEmail: string | null | undefined }

function mailCopies(deps: Deps, tx: Tx, record: GeneratedApplication, copies: Copies): void {
  const { application, account } = record
  const { at, file, coApplicantEmail: to } = copies
  const { ownerEmail } = currentSite(deps)
  const isOther = to && emailKey(to) !== emailKey(account.email)
  const recipients = [
    { recipient: 'tenant', to: account.email, firstName: application.firstName },
    { recipient: 'owner', to: ownerEmail, firstName: '' },
    ...(isOther ? [{ recipient: 'co-applicant', to, firstName: application.secondApplicantFirstName }] : []),
  ]
  for (const { recipient, to, firstName } of recipients) {
    enqueueMail(tx, at, {
      kind: 'lease-signed-copy',
      to,
      dedupeKey: `lease-signed-copy:${file.id}:${recipient}`,
      props: {
        firstName,
        applicationNumber: application.number,
        applicationId: application.id,
        fileId: file.id,
        ...(recipient === 'owner' && { forOwner: whoseLease(record) }),
        ...(recipient === 'tenant' && {
          stay: whoseLease(record).stay,
          left: leftToPay(deps, tx, application.id),
        }),
        ...(recipient === 'co-applicant' && { givenBy: `${application.firstName} ${application.lastName}` }),
      },
    })
  }
}
