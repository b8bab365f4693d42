import { leaseHeadingPattern } from './lease-layout.ts'

/** A part of a lease as shown on a screen. Its lines are those of the text; list items have no dash. */
export type LeaseBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; items: string[] }

/** Parses a lease's text into headings, paragraphs and lists, in order and without blank lines (LOOK-24). */
export function leaseDocument(text: string): LeaseBlock[] {
  const blocks: LeaseBlock[] = []
  let last: LeaseBlock | undefined
  for (const line of text.split(/\r\n|[\r\n]/)) {
    const block = line.trim() === '' ? undefined : parseBlock(line)
    if (block && last?.kind === 'list' && block.kind === 'list') last.items.push(...block.items)
    else if (block?.kind === 'paragraph' && last?.kind === 'paragraph') last.text += `\n${block.text}`
    else {
      if (block) blocks.push(block)
      last = block
    }
  }
  return blocks
}

function parseBlock(line: string): LeaseBlock {
  if (leaseHeadingPattern.test(line)) return { kind: 'heading', text: line }
  return line.startsWith('- ')
    ? { kind: 'list', items: [line.slice('- '.length)] }
    : { kind: 'paragraph', text: line }
}
