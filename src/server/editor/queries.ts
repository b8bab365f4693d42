import type { z } from 'zod'
import type { Deps } from '../kernel/deps.ts'
import type { DraftView, VersionView, versionAnswer } from './presenter.ts'

export function readDraft(_deps: Deps): DraftView {
  throw new Error('not built yet')
}

/** Newest first; the last is version 0. */
export function listVersions(_deps: Deps): VersionView[] {
  throw new Error('not built yet')
}

export function readVersion(_deps: Deps, _version: number): z.infer<typeof versionAnswer> {
  throw new Error('not built yet')
}
