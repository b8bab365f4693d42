import type { SectionName } from '../../../../../domain/content/content.ts'

/** The control's id for a path within a section: `hero-headline`. */
export const controlId = (section: SectionName, path: string) => `${section}-${path}`
