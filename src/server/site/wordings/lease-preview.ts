import { z } from 'zod'
import type { Admin } from '../../../domain/accounts/access.ts'
import { sampleLeaseTitle } from '../../../domain/leases/lease-layout.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { sampleLeaseText } from './preview.ts'

export const leasePreviewInput = z.object({ body: z.object({ text: z.string() }) })

/**
 * A sample lease in the given wording, as a PDF; stores nothing (LTEXT-06).
 * @throws AppError bad_request for an invalid wording; too_many; unavailable
 */
export async function leasePreview(deps: Deps, actor: Admin, given: { text: string }) {
  const text = sampleLeaseText(deps, given)
  await deps.limits.consume('leaseSampleByUser', actor.userId)
  const job = { text, createdAt: nowIso(deps), title: sampleLeaseTitle }
  return {
    content: Buffer.from(await deps.renderer.leasePdf(job)),
    contentType: 'application/pdf',
    fileName: 'lease-agreement-sample.pdf',
  }
}
