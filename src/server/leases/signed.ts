import type { Tx } from '../../../db/open.ts'
import type { SignedIn } from '../../domain/accounts/access.ts'
import { emailKey } from '../../domain/accounts/account-rules.ts'
import { formatShortStay } from '../../domain/common/stay.ts'
import type { Deps } from '../kernel/deps.ts'
import type { StoredFile } from '../kernel/file-store.ts'
import { enqueueMail, type QueuedMail } from '../mail/outbox.ts'
import { leftToPay } from '../money/records.ts'
import { currentSite } from '../site/content/published.ts'
import { applyAddendum } from './addenda/apply.ts'
import { findAddendum } from './addenda/records.ts'
import { type Document, type Signature, setSignature } from './records.ts'

/**
 * Makes a document signed: from now on the lease is signed, or the addendum's terms are in force.
 * @throws AppError like `applyAddendum`
 */
export function storeSigned(
  deps: Deps,
  tx: Tx,
  actor: SignedIn,
  { lease, record }: Document,
  { createdAt, id: fileId }: StoredFile,
  { signedAt = createdAt, signedBy }: Pick<Signature, 'signedBy'> & { signedAt?: string },
): Document {
  const signature = { signedAt, signedBy, fileId }
  if (lease.kind === 'addendum') return applyAddendum(deps, tx, actor, findAddendum(tx, lease.id), signature)
  setSignature(tx, createdAt, lease, signature)
  return { lease, record }
}

/** Somebody else who gets a copy, and why we know the address. */
export type OtherSigner = { recipient: string; to: string; firstName: string } & (
  | { byLink: true }
  | { givenBy: string }
)

/** The signed file to the tenant, the owner and others who signed; one to each address (FIX-14, SIGNER-12, CHANGE-26). */
export function mailSigned(
  deps: Deps,
  tx: Tx,
  { lease, record: { account, application } }: Document,
  file: StoredFile,
  others: readonly OtherSigner[] = [],
): void {
  const { companyName, ownerEmail } = currentSite(deps)
  const { firstName, id: applicationId, lastName, number: applicationNumber } = application
  const tenant = { recipient: 'tenant', to: account.email, firstName }
  const owner = { recipient: 'owner', to: ownerEmail }
  const stay = formatShortStay({ start: lease.startDate, end: lease.endDate })
  const isLease = lease.kind === 'lease'
  const copies = [
    { ...tenant, ...(isLease && { stay, left: leftToPay(deps, tx, applicationId) }) },
    isLease
      ? { ...owner, firstName: '', forOwner: { tenantName: `${firstName} ${lastName}`, stay } }
      : { ...owner, firstName: companyName, forOwner: true },
    ...others,
  ]
  const kind = `${lease.kind}-signed-copy` as const
  const seen = new Set<string>()
  for (const { recipient, to, ...own } of copies) {
    if (seen.has(emailKey(to))) continue
    seen.add(emailKey(to))
    const of = {
      applicationId,
      applicationNumber,
      fileId: file.id,
      ...(!isLease && { number: lease.number }),
    }
    const dedupeKey = `${kind}:${file.id}:${recipient}`
    enqueueMail(tx, file.createdAt, { kind, to, dedupeKey, props: { ...own, ...of } } as QueuedMail)
  }
}
