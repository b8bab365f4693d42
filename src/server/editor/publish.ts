import type { Admin } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'
import type { VersionView } from './presenter.ts'

/** Publishes the draft (SITE-20, SITE-21). */
export async function publishDraft(
  _deps: Deps,
  _actor: Admin,
  _of: { revision: number; note: string },
): Promise<VersionView> {
  throw new Error('not built yet')
}

/** Publishes a version again as a new one; the draft stays (SITE-26). */
export async function publishVersion(
  _deps: Deps,
  _actor: Admin,
  _of: { version: number; published: number; note: string },
): Promise<VersionView> {
  throw new Error('not built yet')
}
