import type { Admin } from '../../domain/access.ts'
import type { FeedChange } from '../../domain/calendar-feed.ts'
import type { Deps } from '../kernel/deps.ts'
import type { FeedView, ReadingResult } from './presenter.ts'
export async function editFeed(
  _deps: Deps,
  _actor: Admin,
  _id: string,
  _change: FeedChange,
): Promise<{ feed: FeedView; result: ReadingResult | null }> {
  throw new Error('not built yet')
}
