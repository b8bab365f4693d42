/** A value in this browser's storage. Users can edit it, so readers must validate it. */
export type BrowserCopy<Value> = {
  read: () => unknown
  write: (value: Value) => void
  /** Does not remove a value that another tab has written since. */
  clear: () => void
}

/** A copy in this browser's storage. If storage is disabled or full, nothing is stored and nothing fails. */
export function browserCopy<Value>(key: string): BrowserCopy<Value> {
  let written: string | null = null
  const storage = <Result>(use: () => Result): Result | undefined => {
    try {
      return use()
    } catch {
      return undefined
    }
  }
  return {
    read: () =>
      storage(() => {
        written = localStorage.getItem(key)
        return JSON.parse(written ?? 'null')
      }),
    write: value =>
      storage(() => {
        written = JSON.stringify(value)
        localStorage.setItem(key, written)
      }),
    clear: () => storage(() => localStorage.getItem(key) === written && localStorage.removeItem(key)),
  }
}
