import { leaseHeadingPattern } from './lease-layout.ts'

/** A part of a lease as shown on a screen. Its lines are those of the text; list items have no dash. */
export type LeasePiece =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; items: string[] }

/** Parses a lease's text into headings, paragraphs and lists, in order and without blank lines (LOOK-24). */
export function leaseDocument(text: string): LeasePiece[] {
  const pieces: LeasePiece[] = []
  let last: LeasePiece | undefined
  for (const line of text.split(/\r\n|[\r\n]/)) {
    const piece = line.trim() === '' ? undefined : pieceOf(line)
    if (piece && last?.kind === 'list' && piece.kind === 'list') last.items.push(...piece.items)
    else if (piece?.kind === 'paragraph' && last?.kind === 'paragraph') last.text += `\n${piece.text}`
    else {
      if (piece) pieces.push(piece)
      last = piece
    }
  }
  return pieces
}

function pieceOf(line: string): LeasePiece {
  if (leaseHeadingPattern.test(line)) return { kind: 'heading', text: line }
  return line.startsWith('- ')
    ? { kind: 'list', items: [line.slice('- '.length)] }
    : { kind: 'paragraph', text: line }
}
