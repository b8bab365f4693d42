import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { calendarExports } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import {
  type ExportChange,
  type ExportInput,
  maxExports,
  platformOnly,
} from '../../../domain/calendars/calendar-feed.ts'
import { calendarMessages } from '../../../domain/calendars/calendar-messages.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { mailConnectionChange } from '../../auth/accounts/report-change.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { seal, unseal } from '../../lib/sealed.ts'
import { newToken, sha256 } from '../../lib/sha256.ts'
import { type ExportRow, listExportRows, loadExport, loadFeed } from './records.ts'
import { type ExportView, presentExport } from './views.ts'

type Key = Pick<Deps, 'key'>

/** The columns of a new secret address: hashed and encrypted, so that a stolen backup does not open the calendar. */
export const newExportToken = (deps: Key, id: string) => storedToken(deps, id, newToken())

const storedToken = ({ key }: Key, id: string, token: string) => ({
  token: sha256(token),
  tokenEnc: key.state === 'ready' ? seal(key.key, id, Buffer.from(token)) : null,
})

/** The token of an export's address; undefined if the key that encrypted it is lost. The address still works. */
export function exportToken({ key }: Key, { id, tokenEnc }: ExportRow): string | undefined {
  return key.state === 'ready' && tokenEnc !== null ? unseal(key.key, id, tokenEnc)?.toString() : undefined
}

/** Tokens that earlier versions stored in plain text have 43 characters; hashes have 64. */
const isPlainText = sql`length(${calendarExports.token}) < 64`

/** Hashes and encrypts the tokens that earlier versions stored in plain text. */
export async function sealExportTokens(deps: Pick<Deps, 'db' | 'key' | 'write'>): Promise<void> {
  const rows = () => deps.db.select().from(calendarExports).where(isPlainText).all()
  if (rows().length === 0) return
  await deps.write(tx => {
    for (const { id, oldToken, token } of rows())
      tx.update(calendarExports)
        .set({ ...storedToken(deps, id, token), oldToken: oldToken === null ? null : sha256(oldToken) })
        .where(eq(calendarExports.id, id))
        .run()
  })
}

/** How long an old address keeps working if the owner chooses that (CAL-58). */
const oldAddressMs = 7 * 24 * 3_600_000

/**
 * Creates a calendar export with a secret address (CAL-50).
 * @throws AppError not_found for an unknown feed, conflict beyond 20 exports; forbidden without a step-up
 */
export function createExport(
  deps: Deps,
  actor: Admin,
  { feedId, name, scope }: ExportInput,
): Promise<{ export: ExportView; url: string }> {
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    if (feedId !== null) loadFeed(tx, feedId)
    if (listExportRows(tx).length >= maxExports)
      throw new AppError('conflict', calendarMessages.tooManyExports)
    const [id, at] = [randomUUID(), nowIso(deps)]
    tx.insert(calendarExports)
      .values({ id, name, scope, feedId, ...newExportToken(deps, id), createdAt: at })
      .run()
    recordEvent(tx, at, actor, 'calendar.export_created', id, { name, scope, feedId })
    const row = loadExport(tx, id)
    return { export: presentExport(deps, row), url: exportUrl(deps, row) }
  })
}

/**
 * The secret address of an export, which works on after the session ends (CAL-50); empty if the key that encrypted it
 * is lost.
 * @throws AppError not_found for an unknown export; forbidden without a step-up
 */
export function showExport(deps: Deps, actor: Admin, id: string): Promise<{ url: string }> {
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const row = loadExport(tx, id)
    recordEvent(tx, nowIso(deps), actor, 'calendar.export_shown', id, { name: row.name })
    return { url: exportUrl(deps, row) }
  })
}

function exportUrl(deps: Deps, row: ExportRow): string {
  const token = exportToken(deps, row)
  return token === undefined ? '' : `${deps.config.origin}/calendar/${token}.ics`
}

/**
 * Renames an export or changes or removes its feed; its address stays (CAL-53).
 * @throws AppError not_found for an unknown export or feed; bad_request for a feed if the export is not for a platform
 */
export function editExport(deps: Deps, actor: Admin, id: string, change: ExportChange): Promise<ExportView> {
  return deps.write(tx => {
    const before = loadExport(tx, id)
    const { feedId = before.feedId, name = before.name } = change
    if (feedId !== null && before.scope !== 'platform') throw fieldError('feedId', platformOnly)
    if (feedId !== null) loadFeed(tx, feedId)
    if (feedId === before.feedId && name === before.name) return presentExport(deps, before)
    // With another feed, the content changes, and the platform has not fetched it yet (CAL-47).
    const unread = feedId === before.feedId ? {} : { lastFetchedAt: null, lastAgent: null }
    update(tx, id, { name, feedId, ...unread })
    recordEvent(tx, nowIso(deps), actor, 'calendar.export_edited', id, { name, feedId })
    return presentExport(deps, loadExport(tx, id))
  })
}

/**
 * Gives an export a new address. The old address ends at once or after 7 days, an earlier one at once (CAL-58).
 * @throws AppError not_found for an unknown export
 */
export function rotateExport(deps: Deps, actor: Admin, id: string, keepOld: boolean): Promise<ExportView> {
  return deps.write(tx => {
    const { name, token } = loadExport(tx, id)
    const oldUntil = new Date(deps.clock.now().getTime() + oldAddressMs).toISOString()
    const old = keepOld ? { oldToken: token, oldUntil } : { oldToken: null, oldUntil: null }
    update(tx, id, { ...newExportToken(deps, id), ...old })
    recordEvent(tx, nowIso(deps), actor, 'calendar.export_rotated', id, { name, keepOld })
    mailConnectionChange(
      deps,
      tx,
      actor,
      `The address of the calendar ${name}`,
      'availability/other-platforms',
    )
    return presentExport(deps, loadExport(tx, id))
  })
}

/** Ends all addresses of an export (CAL-58). @throws AppError not_found for an unknown export */
export function removeExport(deps: Deps, actor: Admin, id: string): Promise<{ message: string }> {
  return deps.write(tx => {
    const { name } = loadExport(tx, id)
    const at = nowIso(deps)
    update(tx, id, { removedAt: at })
    recordEvent(tx, at, actor, 'calendar.export_removed', id, { name })
    mailConnectionChange(deps, tx, actor, `The removed calendar ${name}`, 'availability/other-platforms')
    return { message: 'Calendar removed' }
  })
}

function update(tx: Tx, id: string, change: Partial<ExportRow>): void {
  tx.update(calendarExports).set(change).where(eq(calendarExports.id, id)).run()
}
