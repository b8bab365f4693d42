import type { z } from 'zod'
import type { Admin } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'
import type { previewAnswer } from './presenter.ts'

/** Makes a link that shows the draft for 30 minutes (SITE-28). */
export async function createPreviewLink(_deps: Deps, _actor: Admin): Promise<z.infer<typeof previewAnswer>> {
  throw new Error('not built yet')
}
