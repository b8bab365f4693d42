import type { FieldErrors } from '../../../../../domain/common/errors.ts'
import type { Outputs } from '../../../../api/api.ts'

export type Wording = Outputs['wordings']['get']['wording']
export type WordingVersion = Outputs['wordings']['versions']['versions'][number]
/** A lease has a text; a mail has subject, title, greeting, text, next and button. */
export type WordingBody = Wording['body']
export type Placeholder = Wording['placeholders'][number]

/** The typed text, with the version that it is based on. */
export type WordingDraft = { version: number; body: WordingBody }

export const isSameBody = (a: WordingBody, b: WordingBody): boolean =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every(field => a[field] === b[field])

/** The editor's initial text: the valid parts of the unsaved copy, else the saved wording. */
export function initialDraft(
  { body, version }: WordingDraft,
  copy: unknown,
): WordingDraft & { restored: boolean } {
  const { body: copied, version: base } = (copy ?? {}) as { body?: unknown; version?: unknown }
  const isValidCopy = typeof base === 'number' && typeof copied === 'object' && copied !== null
  const known = isValidCopy
    ? Object.entries(copied).filter(([field, words]) => field in body && typeof words === 'string')
    : []
  const typed: WordingBody = { ...body, ...Object.fromEntries(known) }
  if (isSameBody(typed, body)) return { version, body, restored: false }
  return { version: base as number, body: typed, restored: true }
}

/** Separates the errors of fields that the editor shows from all others, which become one text. */
export function partitionErrors(errors: FieldErrors, fields: readonly string[]) {
  const entries = Object.entries(errors)
  return {
    atFields: Object.fromEntries(entries.filter(([field]) => fields.includes(field))),
    elsewhere: entries.flatMap(([field, sentence]) => (fields.includes(field) ? [] : [sentence])).join(' '),
  }
}

/** The labels of the fields. */
export const fieldNames: Record<string, string> = {
  subject: 'Subject',
  title: 'Title',
  greeting: 'Greeting',
  text: 'Text',
  next: 'What comes next',
  button: 'Button',
}
