import type { Admin } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'
import type { FeedView } from './presenter.ts'
export async function acceptEmpty(
  _deps: Deps,
  _actor: Admin,
  _id: string,
): Promise<{ feed: FeedView; ended: number }> {
  throw new Error('not built yet')
}
