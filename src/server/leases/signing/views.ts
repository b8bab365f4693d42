import { z } from 'zod'
import type { Admin, SignedIn } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { apiCents, recordIds, wireDate, wireMoment } from '../../../domain/common/wire.ts'
import {
  signerName,
  signerRoles,
  signerState,
  signerStates,
  signingCount,
  signingStates,
} from '../../../domain/leases/signing.ts'
import { getApplicationRecord, type OwnApplication } from '../../bookings/records.ts'
import type { Deps } from '../../kernel/deps.ts'
import { view } from '../../kernel/view.ts'
import { documentIn } from '../records.ts'
import { emailOf, findSigner, type SignerRow, type Signing, signingOf } from './records.ts'

const role = z.enum(signerRoles)
const state = z.enum(signerStates)

export const signerView = z.strictObject({
  ...recordIds,
  role,
  state,
  name: z.string(),
  invitedAt: wireMoment,
  signedAt: wireMoment.nullable(),
  declineReason: z.string().nullable().meta({ description: 'Null for a tenant' }),
  email: z.string().nullable().meta({ description: 'Null for a tenant' }),
})

export const signingView = z.strictObject({
  ...recordIds,
  applicationId: z.string(),
  addendumId: z.string().nullable(),
  state: z.enum(signingStates),
  signed: z.int(),
  of: z.int(),
  openedAt: wireMoment,
  closedAt: wireMoment.nullable(),
  signers: z.array(signerView),
})
export type SigningView = z.output<typeof signingView>

const shown = z.strictObject({ name: z.string(), role, state })

/** What a signer's link opens. */
export const openedSignerView = z.strictObject({
  signer: shown,
  document: z.strictObject({
    kind: z.enum(['lease', 'addendum']),
    title: z.string(),
    text: z.string(),
    textSha256: z.string(),
    stay: z.strictObject({ start: wireDate, end: wireDate }),
    rentCents: apiCents,
    depositCents: apiCents,
  }),
  notice: z.array(z.strictObject({ title: z.string(), text: z.string() })),
  noticeSha256: z.string(),
  consentSentence: z.string(),
  signers: z.array(shown),
  propertyName: z.string(),
  state: z.enum(['open', 'complete']),
})

function viewSigner(isOwner: boolean, signer: SignerRow, email: string): z.output<typeof signerView> {
  return view(signerView, {
    ...signer,
    name: signerName(signer),
    state: signerState(signer),
    declineReason: isOwner ? signer.declineReason : null,
    email: isOwner ? email : null,
  })
}

/** The newest signing of an application's lease, or of an addendum; null if there never was one. @throws AppError not_found */
export function signingFor(
  deps: Deps,
  actor: SignedIn,
  applicationId: string,
  addendumId?: string | null,
): SigningView | null {
  const { db } = deps
  const record = getApplicationRecord(db, actor, applicationId)
  const id = addendumId ? documentIn(db, record, addendumId).lease.id : record.lease?.id
  const signing = id === undefined ? undefined : signingOf(db, id)
  return signing ? viewSigning(deps, actor, record, signing) : null
}

function viewSigning(
  deps: Deps,
  actor: SignedIn,
  { account }: OwnApplication,
  signing: Signing,
): SigningView {
  const { kind, leaseId, signers } = signing
  const emailNow = (signer: SignerRow) =>
    signer.signedAt ? signer.email : emailOf(deps, signer, account.email)
  return view(signingView, {
    ...signing,
    addendumId: kind === 'lease' ? null : leaseId,
    ...signingCount(signers),
    signers: signers.map(signer => viewSigner(actor.role === 'admin', signer, emailNow(signer))),
  })
}

/** What a command on a signing answers. */
export function afterwards(deps: Deps, actor: SignedIn, applicationId: string, addendumId?: string | null) {
  const signing = signingFor(deps, actor, applicationId, addendumId)
  if (!signing) throw new Error('the signing is gone')
  return { signing }
}

/** The same of a command on a signer. @throws AppError not_found */
export function ofSignerAfterwards(deps: Deps, actor: Admin, signerId: string) {
  const found = findSigner(deps.db, signerId)
  if (!found) throw new AppError('not_found', 'There is no such signer.')
  const signing = viewSigning(deps, actor, found.record, found.signing)
  const signer = signing.signers.find(({ id }) => id === signerId)
  if (!signer) throw new Error('the signer is gone')
  return { signer, signing }
}
