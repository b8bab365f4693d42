// The session token lives in local storage under the key 'token', shared by all tabs of the site.
const key = 'token'

/** What this tab has in memory was loaded with this token; the stored one may be of another tab by now. */
let held: string | null | undefined
const watchers = new Set<() => void>()

/** Null also on the server (newer versions of Node have a localStorage, shared by everybody) and where storage is off. */
export function readToken(): string | null {
  try {
    return typeof window === 'undefined' ? null : localStorage.getItem(key)
  } catch {
    return null
  }
}

export function heldToken(): string | null {
  if (typeof window === 'undefined') return null
  if (held === undefined) held = readToken()
  return held
}

/** Whether another tab signed in or out since this one has loaded what it holds. */
export function isForeignToken(): boolean {
  return readToken() !== heldToken()
}

/** Goes on with the token of another tab, once everything of the former one is forgotten. */
export function holdStoredToken(): void {
  held = readToken()
}

/**
 * The token to call the server with. Nothing is sent in the name of whoever signed in elsewhere: the watchers hear of
 * it, and the call fails.
 */
export function tokenForCall(): string | null {
  if (!isForeignToken()) return heldToken()
  for (const watcher of watchers) watcher()
  throw new Error('Another tab has signed in or out')
}

export function storeToken(token: string): void {
  localStorage.setItem(key, token)
  held = token
}

/** Removes this tab's token; one that another tab has stored meanwhile stays. */
export function removeToken(): void {
  if (!isForeignToken()) localStorage.removeItem(key)
  held = null
}

/** Calls back when another tab has signed in or out: at once, or as soon as a tab that slept is awake again. */
export function watchToken(onChange: () => void): () => void {
  const check = () => {
    if (isForeignToken()) onChange()
  }
  watchers.add(onChange)
  for (const name of ['storage', 'focus']) window.addEventListener(name, check)
  for (const name of ['visibilitychange', 'resume']) document.addEventListener(name, check)
  return () => {
    watchers.delete(onChange)
    for (const name of ['storage', 'focus']) window.removeEventListener(name, check)
    for (const name of ['visibilitychange', 'resume']) document.removeEventListener(name, check)
  }
}
