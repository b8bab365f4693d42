import type { z } from 'zod'
import type { Admin } from '../../domain/access.ts'
import type { ContentSource } from '../../domain/content.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { createLink, findLink } from '../sessions/access-links.ts'
import { findUser } from '../sessions/users.ts'
import { readState } from './draft-state.ts'
import type { previewResponse } from './presenter.ts'

const previewTtlMs = 30 * 60_000

/** Creates a link that shows the draft for 30 minutes (SITE-28). */
export async function createPreviewLink(deps: Deps, actor: Admin): Promise<z.infer<typeof previewResponse>> {
  const link = { kind: 'site_preview', subjectId: 'draft', personId: actor.userId } as const
  const { expiresAt, token } = await deps.write(tx =>
    createLink(tx, nowIso(deps), { ...link, ttlMs: previewTtlMs }),
  )
  return { url: `/?preview=${token}`, expiresAt }
}

/**
 * The content of the draft for one request, with the number of the published version. Undefined if the token is unknown,
 * expired or revoked, or if its creator is no longer an administrator (SITE-30). Changes nothing.
 */
export function openPreview(
  deps: Pick<Deps, 'clock' | 'config' | 'db' | 'siteContent'>,
  token: string,
): ContentSource | undefined {
  const link = findLink(deps.db, nowIso(deps), 'site_preview', token)
  if (!link || findUser(deps.db, link.personId)?.role !== 'admin') return undefined
  const { content, document, published } = readState(deps, deps.db, deps.siteContent())
  const shown = { version: published.version, document, content, unreadable: [] }
  return () => shown
}
