import type { Db } from '../../../../db/open.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { evidenceTexts } from '../../../domain/bookings/evidence.ts'
import { AppError } from '../../../domain/common/errors.ts'
import type { Deps } from '../../kernel/deps.ts'
import { FileDamagedError } from '../../kernel/file-store.ts'
import { type FileRow, streamStoredFile } from '../../kernel/files/stored-file.ts'
import { getApplicationRow } from '../records.ts'
import {
  type EvidenceRow,
  type EvidenceSubject,
  findEvidence,
  isInStatement,
  listEvidence,
} from './records.ts'

/**
 * A photo as it came, or its preview; its hash is checked each time.
 * @throws AppError not_found; conflict for a damaged file; unavailable while the preview cannot be made; too_many
 */
export async function readEvidence(deps: Deps, actor: SignedIn, id: string, isPreview = false) {
  const found = findEvidence(deps.db, id)
  if (!found || !mayView(deps.db, actor, found.evidence))
    throw new AppError('not_found', evidenceTexts.notFound)
  const { file } = found
  const content = await streamStoredFile(deps, file).catch(error => {
    if (error instanceof FileDamagedError) throw new AppError('conflict', error.message, { cause: error })
    throw error
  })
  const { contentType, originalName: fileName } = file
  if (!isPreview) return { content, contentType, fileName }
  content.destroy()
  return { content: await previewOf(deps, actor, file), contentType: 'image/jpeg', fileName: 'preview.jpg' }
}

/** The owner always; a tenant once a statement names it (EVID-08). */
function mayView(db: Db, actor: SignedIn, row: EvidenceRow): boolean {
  if (row.removedAt !== null) return false
  if (actor.role === 'admin') return true
  try {
    getApplicationRow(db, actor, row.applicationId)
  } catch {
    return false
  }
  return isInStatement(db, row)
}

async function previewOf(deps: Deps, { userId }: SignedIn, file: FileRow): Promise<Uint8Array> {
  const known = deps.picturePreparer.lastPreview(file.sha256)
  if (known) return known
  await deps.limits.consume('previewByUser', userId)
  const photo = { path: deps.files.pathOf(file), sha256: file.sha256 }
  return deps.picturePreparer.readPhoto(photo).then(
    ({ preview }) => preview,
    error => {
      // It could be decoded when it came.
      if (error instanceof AppError && error.code !== 'unsupported_type') throw error
      throw new AppError('unavailable', evidenceTexts.busy, { retryAfterSeconds: 60, cause: error })
    },
  )
}

/** The ids of what is damaged or missing, for documents: every file is read. */
export async function findDamaged(
  deps: Deps,
  subject: EvidenceSubject,
  subjectIds: readonly string[],
): Promise<Set<string>> {
  const damaged = new Set<string>()
  for (const { evidence, file } of listEvidence(deps.db, subject, subjectIds))
    await streamStoredFile(deps, file).then(
      content => content.destroy(),
      error => {
        if (!(error instanceof FileDamagedError)) throw error
        damaged.add(evidence.id)
      },
    )
  return damaged
}
