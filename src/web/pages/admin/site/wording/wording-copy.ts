import type { Typed } from './wording-data.ts'

export type WordingCopy = { read: () => unknown; write: (typed: Typed) => void; clear: () => void }

/** What a person typed into a wording in this browser and did not save. Anybody can edit it, so the caller validates it. */
export function wordingCopy(userId: string, kind: string): WordingCopy {
  const key = `wording:${userId}:${kind}`
  let written: string | null = null
  const storage = <Result>(use: () => Result): Result | undefined => {
    try {
      return use()
    } catch {
      // Storage can be disabled or full; the words then live only in the form.
      return undefined
    }
  }
  return {
    read: () =>
      storage(() => {
        written = localStorage.getItem(key)
        return JSON.parse(written ?? 'null')
      }),
    write: typed =>
      storage(() => {
        written = JSON.stringify(typed)
        localStorage.setItem(key, written)
      }),
    // Another tab may have put its own words there.
    clear: () => storage(() => localStorage.getItem(key) === written && localStorage.removeItem(key)),
  }
}
