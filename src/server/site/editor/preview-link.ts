import type { z } from 'zod'
import type { Admin } from '../../../domain/accounts/access.ts'
import type { ContentSource } from '../../../domain/content/content.ts'
import { createLink, findLink, issueToken } from '../../auth/sessions/access-links.ts'
import { findUser } from '../../auth/sessions/users.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { readState } from './records.ts'
import type { previewResponse } from './views.ts'

/** Creates a link that shows the draft for 30 minutes (SITE-28). */
export async function createPreviewLink(deps: Deps, actor: Admin): Promise<z.infer<typeof previewResponse>> {
  const link = { kind: 'site_preview', subjectId: 'draft', personId: actor.userId } as const
  const issued = await deps.write(tx => {
    const at = nowIso(deps)
    return issueToken(tx, at, createLink(tx, at, link).id)
  })
  if (!issued) throw new Error('a new link has not ended')
  return { url: `/?preview=${issued.token}`, expiresAt: issued.expiresAt }
}

/**
 * The content of the draft for one request, with the number of the published version. Undefined if the token is unknown,
 * expired or revoked, or if its creator is no longer an administrator (SITE-30). Changes nothing.
 */
export function openPreview(deps: Deps, token: string): ContentSource | undefined {
  const link = findLink(deps.db, nowIso(deps), 'site_preview', token)
  if (!link || findUser(deps.db, link.personId)?.role !== 'admin') return undefined
  const { content, document, published } = readState(deps, deps.db, deps.siteContent())
  const shown = { version: published.version, document, content, unreadable: [] }
  return () => shown
}
