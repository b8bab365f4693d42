import { AppError, internalErrorMessage } from '../../domain/common/errors.ts'
import type { Deps } from '../kernel/deps.ts'
import type { ItemResult } from './views.ts'

/** Changes applications one by one, so that other requests run in between; an error does not stop the rest. */
export async function forEachApplication(
  deps: Deps,
  ids: readonly string[],
  change: (id: string) => Promise<unknown>,
): Promise<ItemResult[]> {
  const results: ItemResult[] = []
  for (const id of new Set(ids)) {
    try {
      await change(id)
      results.push({ id, ok: true })
    } catch (error) {
      const isRefusal = error instanceof AppError
      if (!isRefusal) deps.log.error({ err: error, applicationId: id }, 'a change in a bulk update failed')
      results.push({ id, ok: false, error: isRefusal ? error.message : internalErrorMessage })
    }
  }
  return results
}
