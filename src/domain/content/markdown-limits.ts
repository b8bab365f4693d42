import { paragraphsOf } from './content-text.ts'

/** Limits beyond which a text would take seconds to parse or to show; real texts stay far below. */
const max = {
  lines: 2000,
  linesInParagraph: 400,
  marks: 4000,
  marksInParagraph: 400,
  listMarkers: 1500,
  listMarkersInLine: 30,
}

const tooMany = (of: string, all: number, inOne: number, one: string) =>
  `A text can have at most ${all.toLocaleString('en-US')} ${of}, and ${one} at most ${inOne}.`

/** Why a text is too large to be parsed as Markdown (FIX-30), as a sentence for its field; undefined if it is not. */
export function markdownLimitFault(text: string): string | undefined {
  const paragraphs = paragraphsOf(text)
  const lines = text.split('\n')
  if (
    exceeds(paragraphs.map(countLines), Number.POSITIVE_INFINITY, max.linesInParagraph) ||
    lines.length > max.lines
  )
    return tooMany('lines', max.lines, max.linesInParagraph, 'a paragraph or list')
  if (exceeds(paragraphs.map(countMarks), max.marks, max.marksInParagraph))
    return tooMany('of the characters *, _, [ and ]', max.marks, max.marksInParagraph, 'a paragraph')
  if (exceeds(lines.map(countListMarkers), max.listMarkers, max.listMarkersInLine))
    return tooMany('list markers', max.listMarkers, max.listMarkersInLine, 'a line')
  return undefined
}

const countLines = (paragraph: string) => paragraph.split('\n').length
const countMarks = (paragraph: string) => (paragraph.match(/[*_[\]]/g) ?? []).length
const countListMarkers = (line: string) => /^[\s\d.)+*-]*/.exec(line)?.[0].replace(/[\s\d]/g, '').length ?? 0

const exceeds = (counts: readonly number[], all: number, inOne: number): boolean =>
  counts.some(count => count > inOne) || counts.reduce((total, count) => total + count, 0) > all
