import { AppError } from '../../../domain/common/errors.ts'
import type { WordingKind } from '../../../domain/content/wording.ts'
import { parseWording, type WordingBody } from '../content/wordings.ts'

/** Validates and cleans a submitted wording. @throws AppError bad_request with all errors, by field */
export function validateWording<Kind extends WordingKind>(kind: Kind, given: unknown): WordingBody<Kind> {
  const { body, fields } = parseWording(kind, given)
  if (fields === undefined) return body
  throw new AppError('bad_request', Object.values(fields)[0] ?? '', { fields })
}
