import { fromMarkdown } from 'mdast-util-from-markdown'
import { type Block, isAllowedLink, type Span } from '../../domain/content/content-blocks.ts'
import { markdownLimitError } from '../../domain/content/content-errors.ts'
import { paragraphsOf } from '../../domain/content/content-text.ts'

/** Markdown constructs to switch off in the parser; other unsupported constructs are shown literally, see below. */
const disabled = [
  'autolink',
  'blockQuote',
  'characterEscape',
  'characterReference',
  'codeFenced',
  'codeIndented',
  'codeText',
  'definition',
  'hardBreakEscape',
  'htmlFlow',
  'htmlText',
  'labelStartImage',
  'setextUnderline',
  'thematicBreak',
]

type Root = ReturnType<typeof fromMarkdown>
type Node = Root['children'][number]
type Style = Omit<Span, 'text'>

/** What a text contains as blocks, and its links to disallowed targets. */
export type ParsedMarkdown = { blocks: Block[]; refusedLinks: string[] }

/**
 * Parses limited Markdown (SITE-08) into blocks. Other markup is shown literally, and so are links to disallowed
 * targets, which are also returned as `refusedLinks`: saving a text with refused links fails (SITE-09). Call it on the
 * main thread only for texts that are known to be small: the parser is slow for some.
 */
export function parseMarkdown(text: string): ParsedMarkdown {
  const source = text.replace(/^\ufeff/, '')
  return markdownLimitError(source) === undefined
    ? new Reader(source).read()
    : { blocks: literalBlocks(source), refusedLinks: [] }
}

/** The paragraphs of a text with all markup shown literally. */
export function literalBlocks(text: string): Block[] {
  return paragraphsOf(text).map(paragraph => ({ kind: 'paragraph', spans: [{ text: paragraph }] }))
}

class Reader {
  readonly #source: string
  readonly #refusedLinks: string[] = []

  constructor(source: string) {
    this.#source = source
  }

  read(): ParsedMarkdown {
    const { children } = fromMarkdown(this.#source, { extensions: [{ disable: { null: disabled } }] })
    return { blocks: children.map(node => this.#block(node)), refusedLinks: this.#refusedLinks }
  }

  #block(node: Node): Block {
    if (node.type === 'heading' && (node.depth === 2 || node.depth === 3) && node.children.length > 0)
      return { kind: 'heading', level: node.depth, spans: this.#inside(node) }
    if (node.type === 'list' && this.#isList(node))
      return {
        kind: 'list',
        ordered: node.ordered === true,
        items: node.children.map(item => this.#inside(item)),
      }
    return { kind: 'paragraph', spans: node.type === 'paragraph' ? this.#inside(node) : this.#asTyped(node) }
  }

  /** Whether it is a supported list: with `-`, or with `1.` and starting at 1, because the page numbers from 1. */
  #isList(node: Node & { type: 'list' }): boolean {
    return node.ordered
      ? node.start === 1 && /^\d+\./.test(this.#typed(node))
      : this.#typed(node).startsWith('-')
  }

  /** The spans inside a node, without its markup. */
  #inside(node: Node, style: Style = {}): Span[] {
    const children: Node[] = 'children' in node ? node.children : []
    return merge(
      children.flatMap((child, index) => [
        ...(index > 0 ? this.#gap(endOf(children[index - 1] as Node), startOf(child), style) : []),
        ...this.#spans(child, style),
      ]),
    )
  }

  /** The spans of a node with its own markup shown literally, and the styles inside it applied. */
  #asTyped(node: Node, style: Style = {}): Span[] {
    const [first, last] = 'children' in node ? [node.children.at(0), node.children.at(-1)] : []
    if (!first || !last) return this.#gap(startOf(node), endOf(node), style)
    return merge([
      ...this.#gap(startOf(node), startOf(first), style),
      ...this.#inside(node, style),
      ...this.#gap(endOf(last), endOf(node), style),
    ])
  }

  #spans(node: Node, style: Style): Span[] {
    switch (node.type) {
      case 'text':
        return [{ text: node.value, ...style }]
      case 'break':
        return [{ text: '\n', ...style }]
      case 'paragraph':
        return this.#inside(node, style)
      case 'emphasis':
      case 'strong': {
        if (!this.#typed(node).startsWith('*')) return this.#asTyped(node, style)
        return this.#inside(node, { ...style, [node.type === 'strong' ? 'bold' : 'italic']: true })
      }
      case 'link':
        return this.#link(node, style)
      default:
        return this.#asTyped(node, style)
    }
  }

  #link(node: Node & { type: 'link' }, style: Style): Span[] {
    const spans = this.#inside(node, { ...style, href: node.url })
    const isPlain = this.#typed(node).endsWith(`](${node.url})`) && node.title == null
    const hasWords = spans.some(({ text }) => text.trim() !== '')
    if (isPlain && hasWords && isAllowedLink(node.url)) return spans
    if (isPlain && hasWords) this.#refusedLinks.push(node.url)
    return this.#asTyped(node, style)
  }

  /** Source text outside any text node, without line indentation. */
  #gap(start: number, end: number, style: Style): Span[] {
    const text = this.#source.slice(start, end).replace(/\n[ ]+/g, '\n')
    return text === '' ? [] : [{ text, ...style }]
  }

  #typed(node: Node): string {
    return this.#source.slice(startOf(node), endOf(node))
  }
}

const startOf = (node: Node): number => node.position?.start.offset ?? 0
const endOf = (node: Node): number => node.position?.end.offset ?? 0

/** Joins neighboring spans of the same style. */
function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const span of spans) {
    const last = merged.at(-1)
    if (last && last.bold === span.bold && last.italic === span.italic && last.href === span.href)
      merged[merged.length - 1] = { ...last, text: last.text + span.text }
    else merged.push(span)
  }
  return merged
}
