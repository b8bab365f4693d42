import { keyed } from './keyed.ts'

/** A text of the owner: an empty line parts its paragraphs. */
export function Paragraphs({ text, className }: { text: string; className?: string }) {
  return keyed(text.split(/\n\s*\n/).filter(Boolean), paragraph => paragraph).map(({ key, item }) => (
    <p key={key} className={withLines(item, className)}>
      {item}
    </p>
  ))
}

/** Line breaks inside a paragraph are shown. */
const withLines = (text: string, className?: string) =>
  text.includes('\n') ? `whitespace-pre-line ${className ?? ''}` : className
