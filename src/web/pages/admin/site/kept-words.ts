import type { SectionName } from '../../../../domain/content.ts'
import { type BrowserCopy, browserCopy } from './browser-copy.ts'
import { parseSection } from './section-schemas.ts'

/** Changes that the server has not confirmed yet. */
export type KeptWords = {
  /** The version of the section that the changes are based on. */
  version: number
  body: unknown
  /** The content of a save that was in flight. */
  sending?: unknown
}
export type WordsStore = Omit<BrowserCopy<KeptWords>, 'read'> & { read: () => KeptWords | undefined }

const keyStart = 'site-words:'

/** Whether this browser has unsaved changes of any user. They can be read only after the schemas are loaded. */
export function hasKeptWords(): boolean {
  try {
    return Object.keys(localStorage).some(key => key.startsWith(keyStart))
  } catch {
    return false
  }
}

/** This browser's storage for a user's unsaved changes of a section. */
export function keptWords(userId: string, name: SectionName): WordsStore {
  const copy = browserCopy<KeptWords>(`${keyStart}${userId}:${name}`)
  return { ...copy, read: () => parseKept(name, copy.read()) }
}

function parseKept(name: SectionName, kept: unknown): KeptWords | undefined {
  if (typeof kept !== 'object' || kept === null || !('version' in kept) || !('body' in kept)) return undefined
  const { version, body } = kept
  if (typeof version !== 'number' || !hasShape(name, body)) return undefined
  return { version, body, ...('sending' in kept && { sending: kept.sending }) }
}

/** Whether the form can show the value: texts that are too long or not valid yet are accepted, too. */
function hasShape(name: SectionName, body: unknown): boolean {
  const parsed = parseSection(name, body)
  return (
    parsed !== undefined &&
    (parsed.success ||
      parsed.error.issues.every(
        issue =>
          issue.code !== 'invalid_value' &&
          (issue.code !== 'invalid_type' || ['number', 'int'].includes(issue.expected)),
      ))
  )
}
