// The session token is in local storage under the key 'token', which all tabs of the site share.
const key = 'token'

/** The token that this tab uses; another tab may have stored a different one since. */
let current: string | null | undefined
const watchers = new Set<() => void>()

/** Null if storage is disabled, and on the server, where Node's own localStorage would be shared by all users. */
export function storedToken(): string | null {
  try {
    return typeof window === 'undefined' ? null : localStorage.getItem(key)
  } catch {
    return null
  }
}

export function tabToken(): string | null {
  if (typeof window === 'undefined') return null
  if (current === undefined) current = storedToken()
  return current
}

/** Whether another tab has signed in or out since. */
export function isTokenOutdated(): boolean {
  return storedToken() !== tabToken()
}

/** Switches to the token of another tab, after the former user's data has been cleared. */
export function adoptStoredToken(): void {
  current = storedToken()
}

/**
 * The token for calls to the server. If another tab has signed in or out, notifies the watchers and throws, so that one
 * user's screen never sends a call as another user.
 */
export function tokenForCall(): string | null {
  if (!isTokenOutdated()) return tabToken()
  for (const watcher of watchers) watcher()
  throw new Error('Another tab has signed in or out')
}

export function storeToken(token: string): void {
  localStorage.setItem(key, token)
  current = token
}

/** Removes this tab's token, but not one that another tab has stored since. */
export function removeToken(): void {
  if (!isTokenOutdated()) localStorage.removeItem(key)
  current = null
}

/** Calls back when another tab has signed in or out: immediately, or when a suspended tab wakes up. */
export function watchToken(onChange: () => void): () => void {
  const check = () => {
    if (isTokenOutdated()) onChange()
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
