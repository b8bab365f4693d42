import type { z } from 'zod'
import type { Admin } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'
import type { sectionAnswer } from './presenter.ts'

export type SectionAnswer = z.infer<typeof sectionAnswer>

/** Saves a whole section in the draft (SITE-03, SITE-04, SITE-17). */
export async function saveSection(
  _deps: Deps,
  _actor: Admin,
  _save: { section: string; version: number; body: unknown },
): Promise<SectionAnswer> {
  throw new Error('not built yet')
}
