import type { Admin } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'
import type { WordingView } from './presenter.ts'

export async function saveWording(
  _deps: Deps,
  _actor: Admin,
  _save: { kind: string; version: number; body: unknown; note: string },
): Promise<WordingView> {
  throw new Error('not built yet')
}
