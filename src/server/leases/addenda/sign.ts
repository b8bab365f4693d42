import type { z } from 'zod'
import { requireTenant, type SignedIn, type Tenant } from '../../../domain/accounts/access.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { addendumMessages } from '../../../domain/leases/addendum.ts'
import { consentVersion, signingMode } from '../../../domain/leases/lease-signing.ts'
import { type SignAddendumInput, signLeaseInput } from '../../../domain/leases/lease-signing-form.ts'
import { signingMessages } from '../../../domain/leases/signing.ts'
import { presentForTenant } from '../../bookings/views.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { storeFile } from '../../kernel/files/stored-file.ts'
import { certificateOf, checkShown, requireSignatures, signAlone, signaturesOf } from '../sign.ts'
import { openSigningOf } from '../signing/records.ts'
import { signOwnPart } from '../signing/sign.ts'
import { applyAddendum } from './apply.ts'
import { mailSignedAddendum } from './mails.ts'
import { type Addendum, loadAddendum, requireOpen, titleOf } from './records.ts'
import { presentAddendum, type signedAddendum } from './views.ts'

/**
 * Signs an addendum in the app, like the lease: the PDF with its certificate, the new terms, the charges and the mailed
 * copies are one transaction (CHANGE-25, CHANGE-26).
 * @throws AppError forbidden for an admin; not_found; bad_request without a hash or a signature; conflict for another hash
 * and like `applyAddendum`; too_many; unavailable
 */
export async function signAddendum(
  deps: Deps,
  actor: SignedIn,
  input: SignAddendumInput,
): Promise<z.infer<typeof signedAddendum>> {
  const tenant = requireTenant(actor, 'Only the tenant can sign an addendum.')
  return signAlone(tenant.userId, () => sign(deps, tenant, input))
}

async function sign(deps: Deps, tenant: Tenant, input: SignAddendumInput) {
  const found = loadAddendum(deps.db, tenant, input.addendumId)
  const { lease, record } = found
  const { application } = record
  requireOpen(deps, found)
  for (const field of ['addendumTextSha256', 'noticeSha256'] as const)
    if (!input[field]) throw fieldError(field, addendumMessages.read)
  if (input.addendumTextSha256 !== lease.textSha256) throw new AppError('conflict', addendumMessages.changed)
  const invited = openSigningOf(deps.db, lease.id)
  if (invited) {
    await signOwnPart(deps, tenant, invited, { ...input, textSha256: input.addendumTextSha256 })
    const now = loadAddendum(deps.db, tenant, lease.id)
    return {
      message: 'Your signature is stored. The addendum is signed once everybody has signed.',
      addendum: presentAddendum(deps, now),
      application: presentForTenant(now.record),
    }
  }
  const signing = signLeaseInput.parse({ ...input, id: application.id, leaseTextSha256: lease.textSha256 })
  const shown = await checkShown(deps, signing, 'addendum')
  requireSignatures(application, signing)
  await deps.limits.consume('leasePdfByUser', tenant.userId)
  const signatures = await signaturesOf(deps, application, signing)
  const signedAt = nowIso(deps)
  const { text } = lease
  const content = await deps.renderer.signedLeasePdf({
    text,
    signatures,
    title: titleOf(found),
    certificate: { ...certificateOf(deps, tenant, { ...record, lease }, signedAt, 'addendum'), ...shown },
  })
  const file = { content, originalName: fileNameOf(found, '-signed'), contentType: 'application/pdf' }
  return storeFile(deps, 'sign', file, (tx, file) => {
    // The invitations went out meanwhile.
    if (openSigningOf(tx, lease.id)) throw new AppError('conflict', signingMessages.alreadyOut)
    const signed = applyAddendum(deps, tx, tenant, loadAddendum(tx, tenant, lease.id), {
      signedAt,
      signedBy: 'signature',
      fileId: file.id,
    })
    recordEvent(tx, signedAt, tenant, 'lease.addendum_signed', application.id, {
      addendum: lease.number,
      mode: signingMode(signing),
      name: signatures[0]?.name ?? null,
      coApplicantName: signatures[1]?.name ?? null,
      consentVersion,
      noticeSha256: shown.noticeSha256,
      addendumTextSha256: lease.textSha256,
      fileId: file.id,
      fileSha256: file.sha256,
    })
    mailSignedAddendum(deps, tx, signed, file)
    return {
      message: 'Addendum signed successfully',
      addendum: presentAddendum(deps, signed),
      application: presentForTenant(signed.record),
    }
  })
}

/** Such as `APP-2026-0007-addendum-1.pdf`. */
export const fileNameOf = ({ lease, record }: Addendum, ending = ''): string =>
  `${record.application.number}-addendum-${lease.number}${ending}.pdf`
