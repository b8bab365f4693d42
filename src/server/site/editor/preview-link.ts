import type { z } from 'zod'
import type { Admin } from '../../../domain/accounts/access.ts'
import type { ContentSource } from '../../../domain/content/content.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { createLink, findLink, issueToken } from '../../auth/sessions/access-links.ts'
import { findUser } from '../../auth/sessions/users.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { sensitiveChanges } from './publish.ts'
import { type DraftState, readState } from './records.ts'
import type { previewResponse } from './views.ts'

/** Whether a draft changes contact, names, ways to pay or terms. Anybody with the link can open a preview, so these need a step-up. */
const isSensitive = ({ content, published }: DraftState): boolean =>
  sensitiveChanges({ before: published.content, after: content }).length > 0
const provenDraft = 'proven draft'

/**
 * Creates a link that shows the draft for 30 minutes (SITE-28).
 * @throws AppError forbidden without a step-up for a draft with other names, contact, ways to pay or terms
 */
export async function createPreviewLink(deps: Deps, actor: Admin): Promise<z.infer<typeof previewResponse>> {
  const needsProof = isSensitive(readState(deps, deps.db, deps.siteContent()))
  if (needsProof) requireStepUp(deps, deps.db, actor)
  const subjectId = needsProof ? provenDraft : 'draft'
  const link = { kind: 'site_preview', subjectId, personId: actor.userId } as const
  const issued = await deps.write(tx => {
    const at = nowIso(deps)
    return issueToken(tx, at, createLink(tx, at, link).id)
  })
  if (!issued) throw new Error('a new link has not ended')
  return { url: `/?preview=${issued.token}`, expiresAt: issued.expiresAt }
}

/**
 * The content of the draft for one request, with the number of the published version. Undefined if the token is unknown,
 * expired or revoked, if its creator is no longer an administrator (SITE-30), or if the draft has since been changed so
 * that it needs a proof. Changes nothing.
 */
export function openPreview(deps: Deps, token: string): ContentSource | undefined {
  const link = findLink(deps.db, nowIso(deps), 'site_preview', token)
  if (!link || findUser(deps.db, link.personId)?.role !== 'admin') return undefined
  const state = readState(deps, deps.db, deps.siteContent())
  if (isSensitive(state) && link.subjectId !== provenDraft) return undefined
  const { content, document, published } = state
  const shown = { version: published.version, document, content, unreadable: [] }
  return () => shown
}
