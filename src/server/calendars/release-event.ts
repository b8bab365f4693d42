import type { Admin } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'
import type { EventView } from './presenter.ts'
export async function releaseEvent(
  _deps: Deps,
  _actor: Admin,
  _id: string,
  _released: boolean,
): Promise<EventView> {
  throw new Error('not built yet')
}
