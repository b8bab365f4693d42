import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { users } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { type DocumentKind, documentKinds, isDocumentKind } from '../../../domain/content/wording.ts'
import { renderAddendumText } from '../../../domain/leases/addendum-text.ts'
import { leaseTitle, sampleTitle } from '../../../domain/leases/lease-layout.ts'
import {
  hasPlaceForCharges,
  hasPlaceForSchedule,
  renderLeaseText,
} from '../../../domain/leases/lease-text.ts'
import { sampleSchedule } from '../../../domain/leases/lease-wording.ts'
import { planSection } from '../../../domain/money/payment-plan-form.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { readSection } from '../settings.ts'
import { requireKind, sampleAddendumOf, sampleLeaseOf, validateWording } from './queries.ts'
import type { WordingPreview } from './views.ts'

/**
 * A wording filled with sample data; stores nothing.
 * @throws AppError not_found for a kind that cannot be changed; bad_request for an invalid body
 */
export async function previewWording(
  deps: Deps,
  { body, kind }: { kind: string; body: unknown },
): Promise<WordingPreview> {
  const known = requireKind(kind)
  if (known === 'lease') return { text: sampleLeaseText(deps, body) }
  if (known === 'addendum') return { text: sampleAddendumText(deps, body) }
  const words = validateWording(known, body)
  // Loads the templates only when they are needed.
  const { renderSample } = await import('../../mail/compose.ts')
  return renderSample(deps, known, words)
}

/** A sample addendum in this wording. @throws AppError bad_request for an invalid wording */
const sampleAddendumText = (deps: Deps, given: unknown): string =>
  renderAddendumText(sampleAddendumOf(deps), validateWording('addendum', given).text)

/** A sample lease in this wording. @throws AppError bad_request for an invalid wording */
function sampleLeaseText(deps: Deps, given: unknown): string {
  const { text } = validateWording('lease', given)
  const sample = sampleLeaseOf(deps)
  // A wording without a placeholder for charges or the plan is valid, but its leases cannot have any.
  const printable = {
    ...sample,
    ...(!hasPlaceForCharges(text) && { charges: [] }),
    paymentSchedule: hasPlaceForSchedule(text) ? sampleSchedule(readSection(deps.db, planSection).body) : '',
  }
  return renderLeaseText(printable, text)
}

export const leasePreviewInput = z.object({
  body: z.object({ text: z.string() }),
  kind: z.enum(documentKinds).default('lease'),
})

/**
 * A sample lease in the given wording, as a PDF; stores nothing (LTEXT-06).
 * @throws AppError bad_request for an invalid wording; too_many; unavailable
 */
export async function leasePreview(
  deps: Deps,
  actor: Admin,
  given: { text: string },
  kind: DocumentKind = 'lease',
) {
  const text = kind === 'lease' ? sampleLeaseText(deps, given) : sampleAddendumText(deps, given)
  await deps.limits.consume('leaseSampleByUser', actor.userId)
  const title = sampleTitle(kind === 'lease' ? leaseTitle : 'Addendum No. 1')
  const job = { text, createdAt: nowIso(deps), title }
  return {
    content: Buffer.from(await deps.renderer.leasePdf(job)),
    contentType: 'application/pdf',
    fileName: kind === 'lease' ? 'lease-agreement-sample.pdf' : 'addendum-sample.pdf',
  }
}

/**
 * Queues a mail with sample data in this wording to the caller's own address (LTEXT-10).
 * @throws AppError not_found for the lease and for a kind that cannot be changed; bad_request for an invalid body;
 * unavailable without mail; too_many
 */
export async function sendSample(
  deps: Deps,
  actor: Admin,
  { body, kind }: { kind: string; body: unknown },
): Promise<{ message: string }> {
  const known = requireKind(kind)
  if (isDocumentKind(known))
    throw new AppError(
      'not_found',
      known === 'lease' ? 'A lease is not sent as a mail.' : 'An addendum is not sent as a mail.',
    )
  const words = validateWording(known, body)
  if (!deps.mail) throw new AppError('unavailable', 'Mail is not set up.')
  await deps.limits.consume('sampleMailByUser', actor.userId)
  const to = deps.db.select({ email: users.email }).from(users).where(eq(users.id, actor.userId)).get()?.email
  if (!to) throw new AppError('not_found', 'This account does not exist.')
  const props = { kind: known, words }
  await deps.write(tx =>
    enqueueMail(tx, nowIso(deps), {
      kind: 'wording-sample',
      to,
      dedupeKey: `wording-sample:${randomUUID()}`,
      props,
    }),
  )
  return { message: `The sample is on its way to ${to}.` }
}
