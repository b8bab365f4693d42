const parsed = (storage: Storage, key: string): object | null => JSON.parse(storage.getItem(key) ?? 'null')

/** What is being typed: in this tab, or else last in another one of this browser (MSG-07). */
export function readDraft(key: string): object | undefined {
  try {
    return parsed(sessionStorage, key) ?? parsed(localStorage, key) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps what is being typed, or removes it; for other tabs only if none of them has typed something else. */
export function saveDraft(key: string, before: object, draft: object | undefined): void {
  try {
    const shared = localStorage.getItem(key)
    for (const storage of shared === null || shared === JSON.stringify(before)
      ? [sessionStorage, localStorage]
      : [sessionStorage])
      if (draft) storage.setItem(key, JSON.stringify(draft))
      else storage.removeItem(key)
  } catch {
    // Then it exists only in the form.
  }
}
