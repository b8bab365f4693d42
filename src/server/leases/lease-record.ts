import { and, desc, eq, gte, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { applications, type EventDetail, events, files } from '../../../db/schema.ts'
import type { SignedIn } from '../../domain/access.ts'
import { isBooked } from '../../domain/application-status.ts'
import { AppError } from '../../domain/errors.ts'
import { leaseMessages } from '../../domain/lease.ts'
import { type ApplicationRecord, type ApplicationRow, loadRecord } from '../bookings/records.ts'
import type { FileRow } from '../files/stored-file.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { sha256 } from '../lib/sha256.ts'

/** A generated lease: its application, and the text as it was generated. */
export type LeaseRecord = ApplicationRecord & { text: string; textSha256: string; generatedAt: string }

/**
 * The lease of an application, if the actor may see it; its text is held against the hash that was stored with it.
 * @throws AppError not_found, also before generation; internal for a text that is not the stored one
 */
export function loadLease(db: Db | Tx, actor: SignedIn, id: string): LeaseRecord {
  const record = loadRecord(db, actor, id)
  const { leaseTextSha256, leaseGeneratedAt } = record.application
  const stored = db
    .select({ text: applications.leaseText })
    .from(applications)
    .where(eq(applications.id, id))
    .get()
  if (!stored?.text || leaseTextSha256 === null || leaseGeneratedAt === null)
    throw new AppError('not_found', leaseMessages.notGenerated)
  if (sha256(stored.text) !== leaseTextSha256)
    throw new AppError('internal', 'The stored lease text is damaged. Please contact the owner.')
  return { ...record, text: stored.text, textSha256: leaseTextSha256, generatedAt: leaseGeneratedAt }
}

/** Whether a signed lease can be stored now. @throws AppError conflict while one is, and for a declined application */
export function requireSignable(row: ApplicationRow): void {
  if (row.leaseSignedAt !== null || row.signedFileId !== null)
    throw new AppError('conflict', 'This lease is signed already.')
  if (!isBooked(row.status))
    throw new AppError('conflict', 'The application must be approved before its lease is signed.')
}

/** @throws AppError not_found without a signed lease */
export function signedFileOf(db: Db | Tx, row: ApplicationRow): FileRow {
  const file =
    row.signedFileId === null
      ? undefined
      : db.select().from(files).where(eq(files.id, row.signedFileId)).get()
  if (!file) throw new AppError('not_found', leaseMessages.noSignedLease)
  return file
}

const repeatsWithinMs = 10 * 60_000

/**
 * A reading of a lease, for its trail: once in ten minutes for the same reader, place and document. A reading is
 * answered also when nothing can be written.
 */
export async function recordReading(
  deps: Deps,
  actor: SignedIn,
  kind: 'lease.viewed' | 'lease.downloaded' | 'lease.signed_viewed',
  applicationId: string,
  detail: EventDetail,
): Promise<void> {
  const since = new Date(deps.clock.now().getTime() - repeatsWithinMs).toISOString()
  const isRepeat = and(
    eq(events.subjectId, applicationId),
    eq(events.kind, kind),
    eq(events.actorId, actor.userId),
    sql`${events.address} is ${actor.requestOrigin.address}`,
    gte(events.at, since),
  )
  const isKnown = (db: Db | Tx) => {
    const last = db
      .select({ detail: events.detail })
      .from(events)
      .where(isRepeat)
      .orderBy(desc(events.id))
      .get()
    return last !== undefined && JSON.stringify(last.detail) === JSON.stringify(detail)
  }
  if (isKnown(deps.db)) return
  await deps
    .write(tx => {
      if (!isKnown(tx)) recordEvent(tx, nowIso(deps), actor, kind, applicationId, detail)
    })
    .catch(error => deps.log.error({ err: error, applicationId }, 'a reading of a lease was not recorded'))
}
