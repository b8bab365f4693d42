type Drafts = Record<string, object>

/** A person's drafts by thread: a logout by hand removes them from this browser. */
const read = (storage: Storage, person: string): Drafts =>
  JSON.parse(storage.getItem(`drafts ${person}`) ?? '{}')

/** What is being typed: in this tab, or else in another one of this browser (MSG-07). */
export function readDraft(person: string, thread: string): object | undefined {
  try {
    return read(sessionStorage, person)[thread] ?? read(localStorage, person)[thread]
  } catch {
    return undefined
  }
}

/** Keeps what is being typed, or removes it; for other tabs only if none of them has typed something else. */
export function saveDraft(person: string, thread: string, before: object, draft: object | undefined): void {
  try {
    const shared = read(localStorage, person)[thread]
    const isOurs = shared === undefined || JSON.stringify(shared) === JSON.stringify(before)
    for (const storage of isOurs ? [sessionStorage, localStorage] : [sessionStorage]) {
      const { [thread]: _, ...others } = read(storage, person)
      storage.setItem(`drafts ${person}`, JSON.stringify({ ...others, ...(draft && { [thread]: draft }) }))
    }
  } catch {
    // Then it exists only in the form.
  }
}
