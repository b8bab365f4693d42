import type { Admin } from '../../domain/access.ts'
import type { FeedInput } from '../../domain/calendar-feed.ts'
import type { Deps } from '../kernel/deps.ts'
import type { FeedView, ReadingResult } from './presenter.ts'
export async function addFeed(
  _deps: Deps,
  _actor: Admin,
  _input: FeedInput,
): Promise<{ feed: FeedView; result: ReadingResult }> {
  throw new Error('not built yet')
}
