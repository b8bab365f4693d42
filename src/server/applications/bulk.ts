import { AppError, internalErrorMessage } from '../../domain/errors.ts'
import type { Deps } from '../kernel/deps.ts'
import type { ItemResult } from './presenter.ts'

/**
 * Each application by itself, one after another in the order given, so that other requests have their turn in between:
 * one that is refused does not hold up the others.
 */
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
      if (!isRefusal) deps.log.error({ err: error }, 'one of several changes failed')
      results.push({ id, ok: false, error: isRefusal ? error.message : internalErrorMessage })
    }
  }
  return results
}
