import type { Outputs } from '../../../api/api.ts'

export type Wording = Outputs['wordings']['get']['wording']
/** A lease has a text; a mail has subject, title, greeting, text, next and button. */
export type WordingBody = Wording['body']

/** The fields in which two wordings differ. */
export const wordingChanges = (from: WordingBody, to: WordingBody) =>
  Object.keys(from)
    .filter(field => from[field] !== to[field])
    .map(path => ({ path, before: from[path] ?? '', after: to[path] ?? '' }))
