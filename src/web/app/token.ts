// The session token lives in local storage under the key 'token' (spec §3), shared by all tabs of the site.
const key = 'token'

/** Null also on the server (newer versions of Node have a localStorage, shared by everybody) and where storage is off. */
export function readToken(): string | null {
  try {
    return typeof window === 'undefined' ? null : localStorage.getItem(key)
  } catch {
    return null
  }
}

export function storeToken(token: string): void {
  localStorage.setItem(key, token)
}

export function removeToken(): void {
  localStorage.removeItem(key)
}

/** Calls back when another tab signed in or out. */
export function watchToken(onChange: (token: string | null) => void): () => void {
  const listener = (event: StorageEvent) => {
    if (event.key === key || event.key === null) onChange(readToken())
  }
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
