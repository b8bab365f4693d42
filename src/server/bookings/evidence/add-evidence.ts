import { randomUUID } from 'node:crypto'
import { and, count, eq, isNull, or } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { evidence } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { evidenceTexts, maxEvidence, maxEvidenceBytes } from '../../../domain/bookings/evidence.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { futureEventTime } from '../../kernel/clock-skew.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { safeName } from '../../kernel/files/safe-name.ts'
import { storeIncoming } from '../../kernel/files/stored-file.ts'
import type { EvidenceRow } from './records.ts'

export type NewEvidence = Pick<EvidenceRow, 'applicationId' | 'screen' | 'subject' | 'subjectId'> & {
  part?: string
  actor: SignedIn
  /** The same one again is the row that is there. */
  requestId?: string | undefined
}
export type EvidenceUpload = { source: AsyncIterable<Uint8Array>; name: string }

const types = {
  jpeg: { contentType: 'image/jpeg', endings: ['jpg', 'jpeg'] },
  png: { contentType: 'image/png', endings: ['png'] },
}
const limit = {
  maxBytes: maxEvidenceBytes,
  tooLarge: () => new AppError('too_large', evidenceTexts.fileTooLarge),
}

/**
 * Keeps an incoming photo as it came, with the time of its last byte. The same request, or the same bytes again for the
 * same subject, give the id of the row that is there. `requireWanted` throws if the subject may get no other photo; it is
 * also called in the transaction that stores it.
 * @throws AppError too_large; unsupported_type; bad_request for an empty file; conflict for too many; unavailable; what
 * `requireWanted` and the source throw
 */
export async function addEvidence(
  deps: Deps,
  wanted: NewEvidence,
  { name, source }: EvidenceUpload,
  requireWanted: (db: Db) => void,
): Promise<{ id: string }> {
  const requestId = wanted.requestId ?? randomUUID()
  return deps.files.receive(source, limit, async incoming => {
    const receivedAt = nowIso(deps)
    const clockDoubtful = futureEventTime(deps) !== undefined
    if (incoming.sizeBytes === 0) throw new AppError('bad_request', evidenceTexts.fileMissing)
    const same = { requestId, sha256: incoming.sha256 }
    const known = findKnown(deps.db, wanted, same)
    if (known) return { id: known }
    requireRoom(deps.db, wanted, requireWanted)
    const { format, takenAt } = await deps.picturePreparer.readPhoto(incoming)
    const { contentType, endings } = types[format]
    const file = { incoming, contentType, originalName: safeName(name, endings, 'photo') }
    let there: string | undefined
    const storing = storeIncoming(deps, 'evidence', file, (tx, { id: fileId, sha256 }) => {
      there = findKnown(tx, wanted, same)
      // Rolls back the transaction, so that the second file is deleted.
      if (there) throw new Error('the photo is there already')
      requireRoom(tx, wanted, requireWanted)
      const facts = { requestId, fileId, sha256, receivedAt, takenAt, clockDoubtful }
      return { id: insertEvidence(tx, nowIso(deps), wanted, facts) }
    })
    return storing.catch(error => {
      if (there) return { id: there }
      throw error
    })
  })
}

type Facts = Pick<EvidenceRow, 'clockDoubtful' | 'fileId' | 'receivedAt' | 'requestId' | 'sha256' | 'takenAt'>

function insertEvidence(tx: Tx, at: string, { actor, ...wanted }: NewEvidence, facts: Facts): string {
  const id = randomUUID()
  const { address, userAgent } = actor.requestOrigin
  const from = { actorRole: actor.role, actorId: actor.userId, address, userAgent }
  tx.insert(evidence)
    .values({ id, ...wanted, ...facts, ...from })
    .run()
  const { applicationId, subject, subjectId } = wanted
  const { receivedAt, sha256 } = facts
  recordEvent(tx, at, actor, 'evidence.added', id, { applicationId, subject, subjectId, sha256, receivedAt })
  return id
}

/** The row of the same request, or of the same bytes for the same subject (EVID-06). */
function findKnown(
  db: Db,
  { subject, subjectId }: NewEvidence,
  { requestId, sha256 }: Pick<EvidenceRow, 'requestId' | 'sha256'>,
): string | undefined {
  const isSameFile = and(eq(evidence.sha256, sha256), isNull(evidence.removedAt))
  const isSame = or(eq(evidence.requestId, requestId), isSameFile)
  return db
    .select({ id: evidence.id })
    .from(evidence)
    .where(and(eq(evidence.subject, subject), eq(evidence.subjectId, subjectId), isSame))
    .get()?.id
}

/** @throws AppError conflict */
function requireRoom(db: Db, { applicationId }: NewEvidence, requireWanted: (db: Db) => void): void {
  requireWanted(db)
  const ofStay = and(eq(evidence.applicationId, applicationId), isNull(evidence.removedAt))
  const kept = db.select({ kept: count() }).from(evidence).where(ofStay).get()?.kept ?? 0
  if (kept >= maxEvidence) throw new AppError('conflict', evidenceTexts.tooMany)
}
