import { createLru } from '../../domain/common/lru.ts'

type CachedResponse = { etag: string; body: string }

const maxEntries = 50

/** `clear` empties the cache; requests with a token that are in flight then fail. */
export type ConditionalFetch = typeof fetch & { clear: () => void }

/**
 * A fetch that loads only what changed. Our responses are `no-store`, so the browser does not cache them. Instead, the
 * last response of each URL is cached in memory, for one user at a time. A 304 is turned back into the cached 200.
 */
export function createConditionalFetch(): ConditionalFetch {
  const responses = createLru<string, CachedResponse>(maxEntries)
  let owner: string | null = null
  let generation = 0

  const clear = () => {
    responses.clear()
    owner = null
    generation++
  }

  const load: typeof fetch = async (address, options) => {
    const headers = new Headers(options?.headers)
    const requestToken = headers.get('authorization')
    if (requestToken !== owner) responses.clear()
    owner = requestToken
    const startGeneration = generation
    const rejectIfCleared = () => {
      if (requestToken !== null && startGeneration !== generation)
        throw new Error('The user changed before the response arrived')
    }
    if (typeof address !== 'string' || options?.method !== 'GET') {
      const response = await fetch(address, options)
      rejectIfCleared()
      return response
    }

    const known = responses.get(address)
    if (known) headers.set('if-none-match', known.etag)
    const response = await fetch(address, { ...options, headers })
    const entry = await readResponse(response, known)
    rejectIfCleared()
    if (!entry) return response
    // Another user may have signed in since.
    if (requestToken === owner) responses.set(address, entry)
    return new Response(entry.body, { headers: response.headers })
  }
  return Object.assign(load, { clear })
}

/** The cached response for a 304, or a new cache entry if the response has an ETag. */
async function readResponse(
  response: Response,
  known: CachedResponse | undefined,
): Promise<CachedResponse | undefined> {
  if (known && response.status === 304) {
    // The body is empty, but browsers report a response whose body is not read as aborted.
    await response.text()
    return known
  }
  const etag = response.headers.get('etag')
  if (response.status !== 200 || etag === null) return undefined
  return { etag, body: await response.text() }
}
