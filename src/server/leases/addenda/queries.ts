import type { z } from 'zod'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { noticeFor } from '../../../domain/leases/lease-signing.ts'
import { getSubmittedApplication } from '../../bookings/records.ts'
import type { Deps } from '../../kernel/deps.ts'
import { currentSite } from '../../site/content/published.ts'
import { recordLeaseView } from '../record-view.ts'
import { pdfOf } from '../records.ts'
import { addendaOf, loadAddendum } from './records.ts'
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
  return {
    addendum: presentAddendum(deps, found),
    addendumText,
    addendumTextSha256,
    ...(await noticeFor(currentSite(deps), 'addendum')),
  }
}

/** The text as a PDF, once signed the stored file. @throws AppError not_found; too_many; unavailable */
export async function addendumPdf(deps: Deps, actor: SignedIn, id: string) {
  const found = loadAddendum(deps.db, actor, id)
  const { applicationId, textSha256: addendumTextSha256 } = found.lease
  await deps.limits.consume('leasePdfByUser', actor.userId)
  await recordLeaseView(deps, actor, 'lease.addendum_viewed', applicationId, { addendumTextSha256 })
  return pdfOf(deps, found)
}
