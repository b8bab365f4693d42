import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { wordings } from '../../../db/schema.ts'
import type { Admin } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import { wordingMessages } from '../../domain/wording.ts'
import { bodyOfWording, newestWording } from '../content/wordings.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { sha256 } from '../lib/sha256.ts'
import type { WordingView } from './presenter.ts'
import { presentWording, requireKind } from './queries.ts'
import { validateWording } from './validate-wording.ts'

type WordingSave = { kind: string; version: number; body: unknown; note: string }

/**
 * Saves a wording as a new version; null goes back to the shipped wording, and the same body makes no version
 * (LTEXT-02).
 * @throws AppError not_found for a kind that cannot be changed; bad_request for an invalid body; conflict with the
 * stored wording for a stale version
 */
export async function saveWording(deps: Deps, actor: Admin, save: WordingSave): Promise<WordingView> {
  const kind = requireKind(save.kind)
  const body = save.body === null ? null : validateWording(kind, save.body)
  return deps.write(tx => {
    const row = newestWording(tx, kind)
    const version = row?.version ?? 0
    if (save.version !== version)
      throw new AppError('conflict', wordingMessages.stale, { current: presentWording(deps, tx, kind) })
    const stored = bodyOfWording(kind, row)
    const isSame =
      body === null ? stored !== undefined && (row?.body ?? null) === null : isDeepStrictEqual(stored, body)
    if (isSame) return presentWording(deps, tx, kind)
    const text = body === null ? null : JSON.stringify(body)
    const hash = sha256(text ?? '')
    const at = nowIso(deps)
    tx.insert(wordings)
      .values({
        id: randomUUID(),
        kind,
        version: version + 1,
        body: text,
        sha256: hash,
        note: save.note,
        at,
        actorId: actor.userId,
      })
      .run()
    recordEvent(tx, at, actor, 'wording.saved', kind, {
      version: version + 1,
      shipped: body === null,
      sha256: hash,
      ...(save.note !== '' && { note: save.note }),
    })
    return presentWording(deps, tx, kind)
  })
}
