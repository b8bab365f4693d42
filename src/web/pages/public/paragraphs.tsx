import { withUniqueKeys } from '../../ui/unique-keys.ts'

/** A text by the owner; empty lines separate paragraphs. */
export function Paragraphs({ text, className }: { text: string; className?: string }) {
  return withUniqueKeys(text.split(/\n\s*\n/).filter(Boolean), paragraph => paragraph).map(
    ({ key, item }) => (
      <p key={key} className={withLines(item, className)}>
        {item}
      </p>
    ),
  )
}

/** Keeps line breaks within a paragraph. */
const withLines = (text: string, className?: string) =>
  text.includes('\n') ? `whitespace-pre-line ${className ?? ''}` : className
