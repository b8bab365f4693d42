import type { z } from 'zod'
import { requireTenant, type SignedIn } from '../../../domain/accounts/access.ts'
import { fieldError } from '../../../domain/common/errors.ts'
import { addendumMessages } from '../../../domain/leases/addendum.ts'
import type { SignAddendumInput } from '../../../domain/leases/lease-signing-form.ts'
import { presentForTenant } from '../../bookings/views.ts'
import type { Deps } from '../../kernel/deps.ts'
import { signInSession } from '../sign.ts'
import { requireShown } from '../signature.ts'
import { loadAddendum, requireOpen } from './records.ts'
import { presentAddendum, type signedAddendum } from './views.ts'

/**
 * Signs an addendum in the app, like the lease; with the signature its terms are in force (CHANGE-25, CHANGE-26).
 * @throws AppError forbidden for an admin; not_found; bad_request without a hash; conflict unless open, and for another
 * hash; as in `signInSession` and `applyAddendum`
 */
export async function signAddendum(
  deps: Deps,
  actor: SignedIn,
  input: SignAddendumInput,
): Promise<z.infer<typeof signedAddendum>> {
  const tenant = requireTenant(actor, 'Only the tenant can sign an addendum.')
  const { addendumId, addendumTextSha256, ...given } = input
  return signInSession(
    deps,
    tenant,
    { ...given, leaseTextSha256: addendumTextSha256 },
    {
      load: db => {
        const found = loadAddendum(db, tenant, addendumId)
        requireOpen(deps, found)
        for (const field of ['addendumTextSha256', 'noticeSha256'] as const)
          if (!input[field]) throw fieldError(field, addendumMessages.read)
        requireShown(addendumTextSha256, found.lease.textSha256, addendumMessages.changed)
        return found
      },
      answer: (db, isSigned) => {
        const now = loadAddendum(db, tenant, addendumId)
        return {
          message: isSigned
            ? 'Addendum signed successfully'
            : 'Your signature is stored. The addendum is signed once everybody has signed.',
          addendum: presentAddendum(deps, now),
          application: presentForTenant(now.record),
        }
      },
    },
  )
}
