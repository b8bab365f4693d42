/** Reads a value that survives reloads of this tab. Users can edit it, so the caller must validate it. */
export function readTabStorage(key: string): unknown {
  try {
    const text = sessionStorage.getItem(key)
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

export function writeTabStorage(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Storage can be disabled or full; then the values exist only in the form.
  }
}

export function removeTabStorage(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Storage is disabled, so there is nothing to remove.
  }
}
