import { eq } from 'drizzle-orm'
import { depositItems, evidence } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { evidenceTexts } from '../../../domain/bookings/evidence.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { depositMessages } from '../../../domain/money/deposit-case.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { type EvidenceRow, findEvidence, isInDocument } from './records.ts'

/**
 * Sets evidence aside: its row, file and hash stay.
 * @throws AppError not_found; conflict for what a document names, or of an item that is kept
 */
export function removeEvidence(deps: Deps, actor: Admin, id: string): Promise<EvidenceRow> {
  return deps.write(tx => {
    const row = findEvidence(tx, id)?.evidence
    if (!row || row.removedAt !== null) throw new AppError('not_found', evidenceTexts.notFound)
    if (isInDocument(tx, row)) throw new AppError('conflict', evidenceTexts.inDocument)
    const item = tx.select().from(depositItems).where(eq(depositItems.id, row.subjectId)).get()
    if (item && item.keptAt !== null) throw new AppError('conflict', depositMessages.itemKept)
    const at = nowIso(deps)
    tx.update(evidence).set({ removedAt: at, removedBy: actor.userId }).where(eq(evidence.id, id)).run()
    const { applicationId, sha256, subject, subjectId } = row
    recordEvent(tx, at, actor, 'evidence.removed', id, { applicationId, subject, subjectId, sha256 })
    return row
  })
}
