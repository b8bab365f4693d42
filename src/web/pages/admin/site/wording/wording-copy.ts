import type { Typed } from './wording-data.ts'

const keyOf = (kind: string) => `wording:${kind}`

/** What was typed and not saved in this browser. Anybody can edit it, so the caller validates it. */
export function readCopy(kind: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(keyOf(kind)) ?? 'null')
  } catch {
    return null
  }
}

/** Keeps what is typed over a reload and a new login; without it nothing is kept. */
export function keepCopy(kind: string, typed: Typed | undefined): void {
  try {
    if (typed) localStorage.setItem(keyOf(kind), JSON.stringify(typed))
    else localStorage.removeItem(keyOf(kind))
  } catch {
    // Storage can be disabled or full; the words then live only in the form.
  }
}
