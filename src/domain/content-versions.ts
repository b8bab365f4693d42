import {
  type ContentDocument,
  contentSchema,
  type SectionName,
  type SiteContent,
  sectionNames,
  sections,
} from './content.ts'

/**
 * A document of one schema number as the next number has it. Never changed once it has shipped. A draft's sections are
 * raised one by one, so a step takes documents that lack some.
 */
export type SchemaStep = (document: unknown) => unknown

/** The steps by the number that they start from: none yet. */
const steps: Readonly<Record<number, SchemaStep>> = {}

/**
 * A stored document raised to the current schema and checked; undefined where it cannot be read: a newer number, a
 * missing step, a step that fails, a section that is wrong (SITE-31).
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
 * A section of the draft raised to the current schema and checked; undefined where it cannot be read, as a document
 * (SITE-31).
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

/** @throws Error for a number that nothing leads on from */
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

/** A published version as it is stored; `isIntact` says whether its hash is right. */
export type StoredVersion = { id: number; schema: number; body: unknown; isIntact: boolean }

/**
 * What visitors are shown: the newest version that can be read, at last the shipped words as version 0, and the numbers
 * of the newer ones that cannot (SITE-31).
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
