import type { SectionName } from '../../../../../domain/content.ts'

/** The id of the control of a path within a section: `hero-headline`. */
export const controlId = (section: SectionName, path: string) => `${section}-${path}`
