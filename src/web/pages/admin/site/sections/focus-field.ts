import type { SectionName } from '../../../../../domain/content.ts'

export function focusField(_section: SectionName, _path: string): boolean {
  return false
}
