import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { files } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import {
  addendumConsentSentence,
  consentDisclosure,
  noticeSha256,
} from '../../../domain/leases/lease-signing.ts'
import { getSubmittedApplication } from '../../bookings/records.ts'
import type { Deps } from '../../kernel/deps.ts'
import { streamStoredFile } from '../../kernel/files/stored-file.ts'
import { currentSite } from '../../site/content/published.ts'
import { recordLeaseView } from '../record-view.ts'
import { addendaOf, loadAddendum, titleOf } from './records.ts'
import { fileNameOf } from './sign.ts'
import { type AddendumView, type addendumDocument, presentAddendum } from './views.ts'

/** The addenda of an application, by number. @throws AppError not_found */
export function listAddenda(deps: Deps, actor: SignedIn, applicationId: string): AddendumView[] {
  getSubmittedApplication(deps.db, actor, applicationId)
  return addendaOf(deps.db, applicationId).map(row => presentAddendum(deps, row))
}

/** What is read before signing. @throws AppError not_found */
export async function readAddendum(
  deps: Deps,
  actor: SignedIn,
  id: string,
): Promise<z.infer<typeof addendumDocument>> {
  const found = loadAddendum(deps.db, actor, id)
  const { applicationId, text: addendumText, textSha256: addendumTextSha256 } = found.lease
  await recordLeaseView(deps, actor, 'lease.addendum_viewed', applicationId, { addendumTextSha256 })
  const site = currentSite(deps)
  return {
    addendum: presentAddendum(deps, found),
    addendumText,
    addendumTextSha256,
    notice: consentDisclosure(site, 'addendum'),
    noticeSha256: await noticeSha256(site, 'addendum'),
    consentSentence: addendumConsentSentence,
  }
}

/** The text as a PDF, once signed the stored file. @throws AppError not_found; too_many; unavailable */
export async function addendumPdf(deps: Deps, actor: SignedIn, id: string) {
  const found = loadAddendum(deps.db, actor, id)
  const { applicationId, fileId, generatedAt, text, textSha256: addendumTextSha256 } = found.lease
  await deps.limits.consume('leasePdfByUser', actor.userId)
  await recordLeaseView(deps, actor, 'lease.addendum_viewed', applicationId, { addendumTextSha256 })
  const file = fileId ? deps.db.select().from(files).where(eq(files.id, fileId)).get() : undefined
  if (file)
    return {
      content: await streamStoredFile(deps, file),
      contentType: file.contentType,
      fileName: file.originalName,
    }
  const job = { text, createdAt: generatedAt, title: titleOf(found) }
  return {
    content: Buffer.from(await deps.renderer.leasePdf(job)),
    contentType: 'application/pdf',
    fileName: fileNameOf(found),
  }
}
