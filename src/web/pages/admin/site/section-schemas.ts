import type { SectionName, sections } from '../../../../domain/content.ts'

let schemas: typeof sections | undefined

/**
 * Loads the schemas that clean and validate content. Until then, the server's content is used unchanged, because the
 * server has cleaned it.
 */
export async function loadSectionSchemas(): Promise<void> {
  schemas = (await import('../../../../domain/content.ts')).sections
}

/** Parses a body as saving does; undefined if the schemas are not loaded. */
export const parseSection = (name: SectionName, body: unknown) => schemas?.[name].safeParse(body)
