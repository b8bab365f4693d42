import type { Admin, Tenant } from '../../../domain/accounts/access.ts'
import { byHandForm } from '../../../domain/bookings/cancellation.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { newAddendumForm } from '../../../domain/leases/addendum.ts'
import { signAddendumInput } from '../../../domain/leases/lease-signing-form.ts'
import { cancelStay } from '../../applications/cancellation/cancel.ts'
import { cancellationOf } from '../../applications/cancellation/views.ts'
import { getApplicationRecord } from '../../bookings/records.ts'
import type { Deps } from '../../kernel/deps.ts'
import { previewAddendum } from '../../leases/addenda/draft.ts'
import { makeAddendum } from '../../leases/addenda/make.ts'
import { readAddendum } from '../../leases/addenda/queries.ts'
import { signAddendum } from '../../leases/addenda/sign.ts'
import { refundByHand } from '../../money/payments/returns/owner-legs.ts'
import { type Guest, nightsAdded } from './guests.ts'
import { drawSignature, withProof } from './seed-runtime.ts'

type Of = { id: string; owner: Admin; tenant: Tenant }

/** An addendum that adds nights, which the tenant signs or has yet to. */
export async function extendStay(deps: Deps, { id, owner, tenant }: Of, guest: Guest): Promise<void> {
  const { application } = getApplicationRecord(deps.db, owner, id)
  const change = {
    leaseEndDate: addDays(application.stayEndDate, nightsAdded),
    note: 'As we said on the phone.',
  }
  const { lines } = previewAddendum(deps, owner, id, newAddendumForm.parse(change))
  const amountCents = lines.find(({ kind }) => kind === 'rent')?.amountCents
  const rentDue = guest.plan && [{ amountCents, dueDate: application.stayStartDate }]
  const form = newAddendumForm.parse({ ...change, rentDue })
  const { id: addendumId } = await makeAddendum(deps, owner, id, form)
  if (!guest.extends?.signs) return
  const { addendumTextSha256, noticeSha256 } = await readAddendum(deps, tenant, addendumId)
  const signatureImageBase64 = drawSignature(`${guest.firstName} ${guest.lastName}`)
  const given = { addendumId, addendumTextSha256, noticeSha256, mode: 'draw', signatureImageBase64 }
  await signAddendum(deps, tenant, signAddendumInput.parse({ ...given, consent: true }))
}

/** The tenant asks to cancel; the deposit went back by hand, and so will the rent. */
export async function cancelDemoStay(deps: Deps, { id, owner }: Of): Promise<void> {
  await withProof(deps, owner, async proven => {
    const reason = 'My mother is ill, we cannot travel.'
    await cancelStay(deps, proven, id, { side: 'tenant', reason })
    for (const { id: refundId, kind } of cancellationOf(deps, id)?.refunds ?? [])
      if (kind === 'deposit')
        await refundByHand(deps, proven, refundId, byHandForm.parse({ checkNumber: '2391' }))
  })
}
