import { type SectionName, sections } from '../../../../domain/content.ts'

/** Words that the server has not confirmed yet. */
export type KeptWords = {
  /** Of the section that they were written over. */
  version: number
  body: unknown
  /** The words of a save that was on its way. */
  sending?: unknown
}
export type WordsStore = {
  read: () => KeptWords | undefined
  write: (words: KeptWords) => void
  clear: () => void
}

/** Where a browser keeps the unsaved words of a person's section. Anybody can edit them, so they are checked. */
export function keptWords(userId: string, name: SectionName): WordsStore {
  const key = `site-words:${userId}:${name}`
  let written: string | undefined
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
        written = localStorage.getItem(key) ?? undefined
        return parseKept(name, written)
      }),
    write: words =>
      storage(() => {
        written = JSON.stringify(words)
        localStorage.setItem(key, written)
      }),
    // Another tab may have put its own words there.
    clear: () => storage(() => localStorage.getItem(key) === written && localStorage.removeItem(key)),
  }
}

function parseKept(name: SectionName, text: string | undefined): KeptWords | undefined {
  const kept: unknown = text === undefined ? undefined : JSON.parse(text)
  if (typeof kept !== 'object' || kept === null || !('version' in kept) || !('body' in kept)) return undefined
  const { version, body } = kept
  if (typeof version !== 'number' || !hasShape(name, body)) return undefined
  return { version, body, ...('sending' in kept && { sending: kept.sending }) }
}

/** Whether a form can show it: values that are too long or not valid yet are words as well. */
function hasShape(name: SectionName, body: unknown): boolean {
  const parsed = sections[name].safeParse(body)
  return (
    parsed.success ||
    parsed.error.issues.every(
      issue =>
        issue.code !== 'invalid_value' &&
        (issue.code !== 'invalid_type' || ['number', 'int'].includes(issue.expected)),
    )
  )
}
