import type { Admin } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'
import type { DraftView } from './presenter.ts'
import type { SectionAnswer } from './save-section.ts'

export async function discardSection(
  _deps: Deps,
  _actor: Admin,
  _of: { section: string; version: number },
): Promise<SectionAnswer> {
  throw new Error('not built yet')
}

export async function discardDraft(_deps: Deps, _actor: Admin, _revision: number): Promise<DraftView> {
  throw new Error('not built yet')
}
