import type { Deps } from '../kernel/deps.ts'
import type { WordingSummary, WordingVersionView, WordingView } from './presenter.ts'

export function listWordings(_deps: Deps): WordingSummary[] {
  throw new Error('not built yet')
}

/** @throws AppError not_found for a kind that nobody may change */
export function readWording(_deps: Deps, _kind: string): WordingView {
  throw new Error('not built yet')
}

export function listWordingVersions(_deps: Deps, _kind: string): WordingVersionView[] {
  throw new Error('not built yet')
}
