import type { SectionName, sections } from '../../../../domain/content.ts'

let schemas: typeof sections | undefined

/** Loads what cleans and checks words; before, those of the server are taken as they are, for it has cleaned them. */
export async function loadSectionSchemas(): Promise<void> {
  schemas = (await import('../../../../domain/content.ts')).sections
}

/** Parses a body as saving does; undefined where the schemas are not loaded. */
export const parseSection = (name: SectionName, body: unknown) => schemas?.[name].safeParse(body)
