import { eq } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { applications, files, signers } from '../../../../db/schema.ts'
import { isEnded } from '../../../domain/bookings/application-status.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { leaseFileName, leaseTitle } from '../../../domain/leases/lease-layout.ts'
import { consentSentenceOf, hashOfNotice, signerNotice } from '../../../domain/leases/lease-signing.ts'
import { signerName, signerState, signingMessages } from '../../../domain/leases/signing.ts'
import { findLink, markLinkUsed } from '../../auth/sessions/access-links.ts'
import { selectRecords } from '../../bookings/records.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { streamStoredFile } from '../../kernel/files/stored-file.ts'
import { currentSite } from '../../site/content/published.ts'
import { applicationIdOf, documentOf, emailOf, signerById } from './records.ts'

/**
 * What a signer's link opens. Changes nothing.
 * @throws AppError not_found, the same for every link that opens nothing (SIGNER-04)
 */
export function openByToken(deps: Deps, db: Db, token: string) {
  const link = findLink(db, nowIso(deps), 'sign', token)
  const found = link && signerById(db, link.subjectId)
  const applicationId = found && applicationIdOf(db, found.signing)
  const record = applicationId && selectRecords(db).where(eq(applications.id, applicationId)).get()
  // A complete signing outlives a decline or cancellation that is taken back.
  const isOver = !record || isEnded(record.application.status)
  if (!link || !found || isOver || found.signer.removedAt !== null)
    throw new AppError('not_found', signingMessages.invalidLink)
  const { signer } = found
  // The account may have lost the application meanwhile, and the owner the email.
  const isTheirs =
    signer.role === 'tenant'
      ? record.application.userId === link.personId
      : signer.email === emailOf(deps, signer, record.account.email)
  if (!isTheirs) throw new AppError('not_found', signingMessages.invalidLink)
  return { ...found, link, record, document: documentOf(db, record.application.id, found.signing.leaseId) }
}

/** The document, the notice, and how far the others are: no email, no payment (SIGNER-05). @throws AppError not_found */
export async function openSigner(deps: Deps, token: string) {
  const { signer: known } = openByToken(deps, deps.db, token)
  if (known.openedAt === null) await noteOpening(deps, token)
  const { document, signer, signing } = openByToken(deps, deps.db, token)
  const { lease, text } = document
  const site = currentSite(deps)
  const notice = signerNotice(site, signer.role, lease.kind)
  const consentSentence = consentSentenceOf(lease.kind)
  return {
    signer: shownSigner(signer),
    document: {
      kind: lease.kind,
      title: lease.kind === 'lease' ? leaseTitle : `Addendum No. ${lease.number}`,
      text,
      textSha256: lease.textSha256,
    },
    notice,
    consentSentence,
    noticeSha256: await hashOfNotice(notice, consentSentence),
    signers: signing.signers.filter(({ removedAt }) => removedAt === null).map(shownSigner),
    propertyName: site.propertyName,
    state: signing.state === 'complete' ? ('complete' as const) : ('open' as const),
  }
}

const shownSigner = (signer: ReturnType<typeof openByToken>['signer']) => ({
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

/** PDFs and signatures of a link count as a tenant's do: a tenant's own link with the account. */
export const countRendering = (
  { limits }: Deps,
  { link, signer }: Pick<ReturnType<typeof openByToken>, 'link' | 'signer'>,
): Promise<void> => limits.consume('leasePdfByUser', link.personId ?? signer.id)

/**
 * The unsigned text as a PDF; once complete the signed file.
 * @throws AppError not_found; too_many; unavailable; FileDamagedError
 */
export async function signerPdf(deps: Deps, token: string) {
  const opened = openByToken(deps, deps.db, token)
  const { document, record } = opened
  await countRendering(deps, opened)
  const { lease, text } = document
  const { firstName, lastName } = record.application
  const file = lease.fileId ? deps.db.select().from(files).where(eq(files.id, lease.fileId)).get() : undefined
  if (file) {
    const content = await streamStoredFile(deps, file)
    return { content, contentType: file.contentType, fileName: file.originalName }
  }
  const title = lease.kind === 'lease' ? leaseTitle : `Addendum No. ${lease.number}`
  const pdf = await deps.renderer.leasePdf({ text, createdAt: lease.generatedAt, title })
  return {
    content: Buffer.from(pdf),
    contentType: 'application/pdf',
    fileName: leaseFileName(firstName, lastName),
  }
}
