import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { users } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { enqueueMail } from '../../messages/outbox.ts'
import { requireKind } from './queries.ts'
import { validateWording } from './validate-wording.ts'

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
  if (known === 'lease') throw new AppError('not_found', 'A lease is not sent as a mail.')
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
