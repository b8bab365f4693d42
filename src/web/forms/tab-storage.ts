/**
 * Values that live as long as the browser tab and survive its reloads. Storage can be switched off or full: then there
 * is simply nothing to read. It can be changed by hand: whoever reads checks what it is.
 */
export function readSession(key: string): unknown {
  try {
    const text = sessionStorage.getItem(key)
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

export function writeSession(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // What was entered then lives only in the form.
  }
}

export function removeSession(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept either.
  }
}
