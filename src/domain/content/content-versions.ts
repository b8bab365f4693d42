import {
  type ContentDocument,
  contentSchema,
  type SectionName,
  type SiteContent,
  sectionNames,
  sections,
} from './content.ts'

/**
 * Migrates a document to the next schema number. Never changed once shipped. A draft's sections are migrated one by
 * one, so a step must accept documents that lack some.
 */
export type SchemaStep = (document: unknown) => unknown

/** The steps by the number they start from; none yet. */
const steps: Readonly<Record<number, SchemaStep>> = {}

/**
 * Migrates a stored document to the current schema and validates it. Undefined if it cannot be read: newer schema,
 * missing or failing step, invalid section (SITE-31).
 */
export function readDocument(
  { body, schema }: { schema: number; body: unknown },
  raising: Readonly<Record<number, SchemaStep>> = steps,
  current: number = contentSchema,
): ContentDocument | undefined {
  try {
    return checkDocument(raise(body, schema, raising, current))
  } catch {
    return undefined
  }
}

/**
 * Migrates a section of the draft to the current schema and validates it; undefined if it cannot be read, as for a
 * document (SITE-31).
 */
export function readSectionBody<Name extends SectionName>(
  name: Name,
  { body, schema }: { schema: number; body: unknown },
  raising: Readonly<Record<number, SchemaStep>> = steps,
  current: number = contentSchema,
): SiteContent[Name] | undefined {
  try {
    const raised = raise({ [name]: body }, schema, raising, current) as Record<SectionName, unknown>
    return sections[name].parse(raised[name]) as SiteContent[Name]
  } catch {
    return undefined
  }
}

/** @throws Error for a schema number without a step */
function raise(
  body: unknown,
  schema: number,
  raising: Readonly<Record<number, SchemaStep>>,
  current: number,
): unknown {
  if (schema === current) return body
  const step = schema < current ? raising[schema] : undefined
  if (!step) throw new Error(`Nothing raises content of schema ${schema} to ${current}.`)
  return raise(step(body), schema + 1, raising, current)
}

/** @throws ZodError, TypeError */
function checkDocument(body: unknown): ContentDocument {
  const stored = body as Record<SectionName, unknown>
  const checked = sectionNames.map(name => [
    name,
    name === 'identity' && stored.identity === null ? null : sections[name].parse(stored[name]),
  ])
  return Object.fromEntries(checked)
}

/** A published version as stored; `isIntact` is whether its hash matches. */
export type StoredVersion = { id: number; schema: number; body: unknown; isIntact: boolean }

/**
 * The version that visitors see: the newest readable one, else the shipped content as version 0; with the numbers of
 * newer versions that cannot be read (SITE-31).
 * @param versions newest first; read only as far as needed
 */
export function newestReadable(
  versions: Iterable<StoredVersion>,
  shipped: ContentDocument,
): { id: number; document: ContentDocument; unreadable: number[] } {
  const unreadable: number[] = []
  for (const version of versions) {
    const document = version.isIntact ? readDocument(version) : undefined
    if (document) return { id: version.id, document, unreadable }
    unreadable.push(version.id)
  }
  return { id: 0, document: shipped, unreadable }
}
