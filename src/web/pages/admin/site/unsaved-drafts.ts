import { type SectionName, sections } from '../../../../domain/content/content.ts'
import { type BrowserCopy, browserCopy } from './browser-copy.ts'

/** Changes that the server has not confirmed yet. */
export type UnsavedDraft = {
  /** The version of the section that the changes are based on. */
  version: number
  body: unknown
  /** The content of a save that was in flight. */
  sending?: unknown
}
export type UnsavedDraftStore = Omit<BrowserCopy<UnsavedDraft>, 'read'> & {
  read: () => UnsavedDraft | undefined
}

const keyStart = 'site-words:'

/** This browser's storage for a user's unsaved changes of a section. */
export function unsavedDraftStore(userId: string, name: SectionName): UnsavedDraftStore {
  const copy = browserCopy<UnsavedDraft>(`${keyStart}${userId}:${name}`)
  return { ...copy, read: () => parseStored(name, copy.read()) }
}

function parseStored(name: SectionName, stored: unknown): UnsavedDraft | undefined {
  if (typeof stored !== 'object' || stored === null || !('version' in stored) || !('body' in stored))
    return undefined
  const { version, body } = stored
  if (typeof version !== 'number' || !hasShape(name, body)) return undefined
  return { version, body, ...('sending' in stored && { sending: stored.sending }) }
}

/** Whether the form can show the value: texts that are too long or not valid yet are accepted, too. */
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
