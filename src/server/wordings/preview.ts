import type { Deps } from '../kernel/deps.ts'
import type { WordingPreview } from './presenter.ts'

export async function previewWording(
  _deps: Deps,
  _of: { kind: string; body: unknown },
): Promise<WordingPreview> {
  throw new Error('not built yet')
}
