import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { wordings } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import type { MailWording } from '../../../domain/content/mail-wording.ts'
import { wordingLabels, wordingMessages } from '../../../domain/content/wording.ts'
import type { LeaseWording } from '../../../domain/leases/lease-wording.ts'
import { secretIn } from '../../arrival/arrival.ts'
import { mailSensitiveWords } from '../../auth/factors/sensitive-words.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { currentSite } from '../content/published.ts'
import { toStoredBody } from '../content/versioned.ts'
import { bodyOfWording, shippedWording, wordingHistory } from '../content/wordings.ts'
import { presentWording, requireKind, validateWording } from './queries.ts'
import type { WordingView } from './views.ts'

type WordingSave = { kind: string; version: number; body: unknown; note: string }

/**
 * Saves a wording as a new version; null goes back to the shipped wording, and the same body makes no version
 * (LTEXT-02). The owner gets a mail (FIX-32).
 * @throws AppError not_found for a kind that cannot be changed; bad_request for an invalid body; conflict with the
 * stored wording for a stale version; forbidden without a step-up
 */
export async function saveWording(deps: Deps, actor: Admin, save: WordingSave): Promise<WordingView> {
  const kind = requireKind(save.kind)
  const body = save.body === null ? null : validateWording(kind, save.body)
  return deps.write(tx => {
    const row = wordingHistory(kind).newest(tx)
    const version = row?.version ?? 0
    if (save.version !== version)
      throw new AppError('conflict', wordingMessages.stale, { current: presentWording(deps, tx, kind) })
    const stored = bodyOfWording(kind, row)
    const isSame =
      body === null ? stored !== undefined && (row?.body ?? null) === null : isDeepStrictEqual(stored, body)
    if (isSame) return presentWording(deps, tx, kind)
    // Before the words are looked at: which ones are refused tells which codes are live.
    requireStepUp(deps, tx, actor)
    for (const [field, words] of Object.entries(body ?? {})) {
      const message = secretIn(deps, tx, String(words))
      if (message) throw fieldError(field, message)
    }
    const text = toStoredBody(body === null ? null : JSON.stringify(body))
    const at = nowIso(deps)
    tx.insert(wordings)
      .values({
        id: randomUUID(),
        kind,
        version: version + 1,
        ...text,
        note: save.note,
        at,
        actorId: actor.userId,
      })
      .run()
    recordEvent(tx, at, actor, 'wording.saved', kind, {
      version: version + 1,
      shipped: body === null,
      sha256: text.sha256,
      ...(save.note !== '' && { note: save.note }),
    })
    const { ownerEmail } = currentSite(deps)
    mailSensitiveWords(tx, at, actor, {
      changes: [
        {
          label: `Wording: ${wordingLabels[kind]}`,
          before: wordsOf(stored ?? shippedWording(kind)),
          after: wordsOf(body ?? shippedWording(kind)),
        },
      ],
      owners: [ownerEmail, ownerEmail],
      where: `documents?kind=${kind}`,
      dedupeKey: `wording-changed:${kind}:${version + 1}`,
    })
    return presentWording(deps, tx, kind)
  })
}

const wordsOf = (body: LeaseWording | MailWording): string => Object.values(body).join('\n')
