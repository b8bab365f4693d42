import type { SectionName } from '../../../../domain/content.ts'
import { type BrowserCopy, browserCopy } from './browser-copy.ts'
import { parseSection } from './section-schemas.ts'

/** Words that the server has not confirmed yet. */
export type KeptWords = {
  /** Of the section that they were written over. */
  version: number
  body: unknown
  /** The words of a save that was on its way. */
  sending?: unknown
}
export type WordsStore = Omit<BrowserCopy<KeptWords>, 'read'> & { read: () => KeptWords | undefined }

const keyStart = 'site-words:'

/** Whether this browser keeps words of anybody, which can only be read once the schemas are loaded. */
export function hasKeptWords(): boolean {
  try {
    return Object.keys(localStorage).some(key => key.startsWith(keyStart))
  } catch {
    return false
  }
}

/** Where a browser keeps the unsaved words of a person's section. */
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

/** Whether a form can show it: values that are too long or not valid yet are words as well. */
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
