import { type LeasePiece, leaseDocument } from '../../../domain/lease-document.ts'

type LeaseTextProps = {
  text: string
  /** One level below the heading of the container. */
  headingLevel?: 3 | 4
}

/** The lease as a document: headings, paragraphs and lists, about 68 characters per line. */
export function LeaseText({ text, headingLevel = 3 }: LeaseTextProps) {
  const Heading = `h${headingLevel}` as const
  const pieces = leaseDocument(text).map((piece, position) => ({ ...piece, position }))
  return (
    <div className="mx-auto max-w-[61ch] text-base text-ink leading-relaxed wrap-anywhere">
      {pieces.map(piece =>
        piece.kind === 'heading' ? (
          <Heading key={piece.position} className="mt-7 mb-1.5 leading-snug font-semibold text-navy">
            {piece.text}
          </Heading>
        ) : (
          <Piece key={piece.position} piece={piece} />
        ),
      )}
    </div>
  )
}

function Piece({ piece }: { piece: Exclude<LeasePiece, { kind: 'heading' }> }) {
  if (piece.kind === 'paragraph') return <p className="mb-3 whitespace-pre-wrap">{piece.text}</p>
  const numbered = piece.items.map((item, position) => ({ item, position }))
  return (
    <ul className="mb-3 grid list-disc gap-1 pl-5 marker:text-muted">
      {numbered.map(({ item, position }) => (
        <li key={position} className="whitespace-pre-wrap">
          {item}
        </li>
      ))}
    </ul>
  )
}
