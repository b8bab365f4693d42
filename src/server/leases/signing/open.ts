import { eq } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { signers } from '../../../../db/schema.ts'
import { isEnded } from '../../../domain/bookings/application-status.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { noticeFor } from '../../../domain/leases/lease-signing.ts'
import { signerName, signerState, signingMessages } from '../../../domain/leases/signing.ts'
import { findLink, markLinkUsed } from '../../auth/sessions/access-links.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { currentSite } from '../../site/content/published.ts'
import { documentIn, pdfOf, titleOf } from '../records.ts'
import { emailOf, findSigner, type SignerRow } from './records.ts'

/**
 * What a signer's link opens. Changes nothing.
 * @throws AppError not_found, the same for every link that opens nothing (SIGNER-04)
 */
export function openByToken(deps: Deps, db: Db, token: string) {
  const link = findLink(db, nowIso(deps), 'sign', token)
  const found = link && findSigner(db, link.subjectId)
  // A complete signing outlives a decline or cancellation that is taken back.
  if (!link || !found || isEnded(found.record.application.status) || found.signer.removedAt !== null)
    throw new AppError('not_found', signingMessages.invalidLink)
  const { record, signer, signing } = found
  // The account may have lost the application meanwhile, and the owner the email.
  const isTheirs =
    signer.role === 'tenant'
      ? record.application.userId === link.personId
      : signer.email === emailOf(deps, signer, record.account.email)
  if (!isTheirs) throw new AppError('not_found', signingMessages.invalidLink)
  return { ...found, link, document: documentIn(db, record, signing.leaseId) }
}

/** The document, the notice, and how far the others are: no email, no payment (SIGNER-05). @throws AppError not_found */
export async function openSigner(deps: Deps, token: string) {
  const { signer: known } = openByToken(deps, deps.db, token)
  if (known.openedAt === null) await noteOpening(deps, token)
  const { document, signer, signing } = openByToken(deps, deps.db, token)
  const { depositCents, endDate: end, kind, rentCents, startDate: start, text, textSha256 } = document.lease
  const site = currentSite(deps)
  return {
    signer: shownSigner(signer),
    document: {
      ...{ kind, title: titleOf(document.lease), text, textSha256 },
      ...{ stay: { start, end }, rentCents, depositCents },
    },
    ...(await noticeFor(site, kind, signer.role)),
    signers: signing.signers.filter(({ removedAt }) => removedAt === null).map(shownSigner),
    propertyName: site.propertyName,
    state: signing.state === 'complete' ? ('complete' as const) : ('open' as const),
  }
}

const shownSigner = (signer: SignerRow) => ({
  name: signerName(signer),
  role: signer.role,
  state: signerState(signer),
})

async function noteOpening(deps: Deps, token: string): Promise<void> {
  await deps.write(tx => {
    const { link, signer } = openByToken(deps, tx, token)
    const at = nowIso(deps)
    if (signer.openedAt === null)
      tx.update(signers).set({ openedAt: at }).where(eq(signers.id, signer.id)).run()
    markLinkUsed(tx, at, link.id)
  })
}

/** Counts PDFs and signatures per signer, and those of the tenant's own link together with the account. */
export const countRendering = (
  { limits }: Deps,
  { link, signer }: Pick<ReturnType<typeof openByToken>, 'link' | 'signer'>,
): Promise<void> => limits.consume('leasePdfByUser', link.personId ?? signer.id)

/** @throws AppError not_found; too_many; as in `pdfOf` */
export async function signerPdf(deps: Deps, token: string) {
  const opened = openByToken(deps, deps.db, token)
  await countRendering(deps, opened)
  return pdfOf(deps, opened.document)
}
