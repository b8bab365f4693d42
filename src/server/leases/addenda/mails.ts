import type { Tx } from '../../../../db/open.ts'
import { emailKey } from '../../../domain/accounts/account-rules.ts'
import type { Deps } from '../../kernel/deps.ts'
import type { StoredFile } from '../../kernel/file-store.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { currentSite } from '../../site/content/published.ts'
import type { Addendum } from './records.ts'

/** Copies to the tenant, the owner, and whoever else signed by an own link; one to each address. */
export function mailSignedAddendum(
  deps: Deps,
  tx: Tx,
  { lease, record }: Addendum,
  file: StoredFile,
  others: readonly { id: string; email: string; firstName: string }[] = [],
): void {
  const { account, application } = record
  const { companyName, ownerEmail } = currentSite(deps)
  const seen = new Set<string>()
  for (const { firstName, recipient, to } of [
    { recipient: 'tenant', to: account.email, firstName: application.firstName },
    { recipient: 'owner', to: ownerEmail, firstName: companyName },
    ...others.map(({ email, firstName, id }) => ({ recipient: id, to: email, firstName })),
  ]) {
    if (seen.has(emailKey(to))) continue
    seen.add(emailKey(to))
    enqueueMail(tx, file.createdAt, {
      kind: 'addendum-signed-copy',
      to,
      dedupeKey: `addendum-signed-copy:${file.id}:${recipient}`,
      props: {
        firstName,
        applicationNumber: application.number,
        applicationId: application.id,
        number: lease.number,
        fileId: file.id,
        ...(recipient === 'owner' && { forOwner: true as const }),
        ...(recipient !== 'owner' && recipient !== 'tenant' && { byLink: true as const }),
      },
    })
  }
}
