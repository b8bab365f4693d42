import type { Admin } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'
import type { FeedView, ReadingResult } from './presenter.ts'
export async function readNow(
  _deps: Deps,
  _actor: Admin,
  _id: string,
): Promise<{ feed: FeedView; result: ReadingResult }> {
  throw new Error('not built yet')
}
