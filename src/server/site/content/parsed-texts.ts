import { eq, notInArray } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { parsedTexts } from '../../../../db/schema.ts'
import type { FieldErrors } from '../../../domain/common/errors.ts'
import type { SectionName, SiteContent } from '../../../domain/content/content.ts'
import { type Block, linkMessage } from '../../../domain/content/content-blocks.ts'
import { markdownLimitError } from '../../../domain/content/content-errors.ts'
import type { Deps } from '../../kernel/deps.ts'
import { sha256 } from '../../lib/sha256.ts'
import { literalBlocks, parseMarkdown } from '../../workers/parse-markdown.ts'
import { readDraft, readPublishedContent } from './published.ts'
import { shippedContent } from './shipped-content.ts'

/** The sections with a text in Markdown. */
const markdownSections = ['privacy', 'terms'] as const satisfies readonly SectionName[]
type Texts = Partial<Pick<SiteContent, (typeof markdownSections)[number]>>
/** A parsed text that is not stored yet. */
export type ParsedText = typeof parsedTexts.$inferInsert

const neverParsed = 'This text could not be laid out. Please save it again.'
export const tooSlow = 'This text takes too long to lay out. Please shorten it, or use fewer lists and marks.'

/** Raised when the same text is parsed differently, so that a start parses the stored texts again. */
const parserVersion = 1
/** The key under which a text is stored. */
export const keyOf = (text: string) => sha256(`${parserVersion} ${text}`)
const keysOf = (texts: Texts) => markdownSections.flatMap(name => texts[name]?.text ?? []).map(keyOf)

/** The shipped texts, which are small and never change. */
let shipped: ReadonlyMap<string, Block[]> | undefined
function shippedBlocks(): ReadonlyMap<string, Block[]> {
  shipped ??= new Map(
    markdownSections.map(name => {
      const { text } = shippedContent[name]
      return [keyOf(text), parseMarkdown(text).blocks]
    }),
  )
  return shipped
}

/** The blocks of a text, without parsing it; a text that was never parsed is shown as it was typed. */
export function blocksOf(db: Db, text: string): Block[] {
  return findBlocks(db, text) ?? literalBlocks(text)
}

function findBlocks(db: Db, text: string): Block[] | undefined {
  const key = keyOf(text)
  return (
    shippedBlocks().get(key) ?? db.select().from(parsedTexts).where(eq(parsedTexts.key, key)).get()?.blocks
  )
}

/**
 * Parses the texts that are not stored yet, in the worker, and returns them with what is wrong with each, by section.
 * @throws AppError unavailable when too many texts wait
 */
export async function parseTexts(
  { db, markdownParser }: Deps,
  texts: Texts,
): Promise<{ parsed: ParsedText[]; faults: FieldErrors }> {
  const parsed: ParsedText[] = []
  const faults: FieldErrors = {}
  for (const name of markdownSections) {
    const text = texts[name]?.text ?? ''
    if (text === '' || findBlocks(db, text)) continue
    const limitError = markdownLimitError(text)
    const result = limitError === undefined ? await markdownParser.parse(text) : undefined
    if (result) parsed.push({ key: keyOf(text), blocks: result.blocks })
    if (!result) faults[name] = limitError ?? tooSlow
    else if (result.refusedLinks.length > 0) faults[name] = linkMessage
  }
  return { parsed, faults }
}

/** Stores parsed texts, after the change that uses them; removes those that are neither published nor in the draft. */
export function storeTexts(deps: Deps, tx: Tx, parsed: readonly ParsedText[]): void {
  if (parsed.length === 0) return
  const { document } = readPublishedContent(tx, deps.config)
  const used = [...keysOf(document), ...keysOf(readDraft(tx, document).document)]
  tx.delete(parsedTexts).where(notInArray(parsedTexts.key, used)).run()
  for (const row of parsed) tx.insert(parsedTexts).values(row).onConflictDoNothing().run()
}

/** What prevents publishing these texts: those that were never parsed, by path. A published text stays as it is. */
export function unparsedTexts(db: Db, texts: Texts, published: Texts): FieldErrors {
  return Object.fromEntries(
    markdownSections.flatMap(name => {
      const text = texts[name]?.text ?? ''
      if (text === '' || text === published[name]?.text || findBlocks(db, text)) return []
      return [[`${name}.text`, markdownLimitError(text) ?? neverParsed]]
    }),
  )
}

/** At start: parses the published texts and those of the draft if an earlier release stored them. */
export async function parseStoredTexts(deps: Deps): Promise<void> {
  const { document } = readPublishedContent(deps.db, deps.config)
  for (const texts of [document, readDraft(deps.db, document).document]) {
    const { parsed } = await parseTexts(deps, texts)
    if (parsed.length > 0) await deps.write(tx => storeTexts(deps, tx, parsed))
  }
}
