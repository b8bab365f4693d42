import type { Db } from '../../../db/open.ts'
import { createLru } from '../../domain/common/lru.ts'
import type { Deps } from './deps.ts'

type Cache = { version: string; values: ReturnType<typeof createLru<string, unknown>> }
const caches = new WeakMap<Db, Cache>()
/** Bounds the memory: the largest value, except for the public responses, is a page of 100 KB. */
const maxValues = 500

/**
 * The result of `compute`, kept under the key until the next commit, also of another process. Keeps neither undefined
 * nor a promise that is rejected, and nothing during a write, whose changes have no version yet.
 */
export function cachedUntilWrite<T>(
  { dataVersion, db, isWriting }: Pick<Deps, 'dataVersion' | 'db' | 'isWriting'>,
  key: string,
  compute: () => T,
): T {
  if (isWriting()) return compute()
  // Read before the data, so that the next call notices a write in between.
  const version = dataVersion()
  let cache = caches.get(db)
  if (cache?.version !== version) {
    cache = { version, values: createLru(maxValues) }
    caches.set(db, cache)
  }
  const { values } = cache
  const known = values.get(key)
  if (known !== undefined) return known as T
  const value = compute()
  if (value === undefined) return value
  values.set(key, value)
  if (value instanceof Promise) value.catch(() => values.delete(key))
  return value
}
