import { type LeaseBlock, leaseDocument } from '../../../domain/leases/lease-document.ts'

type LeaseTextProps = {
  text: string
  /** One level below the heading of the container. */
  headingLevel?: 3 | 4
}

/** The lease as a document: headings, paragraphs and lists, about 68 characters per line. */
export function LeaseText({ text, headingLevel = 3 }: LeaseTextProps) {
  const Heading = `h${headingLevel}` as const
  const blocks = leaseDocument(text).map((block, position) => ({ ...block, position }))
  return (
    <div className="max-w-[61ch] text-base text-ink leading-relaxed wrap-anywhere">
      {blocks.map(block =>
        block.kind === 'heading' ? (
          <Heading key={block.position} className="mt-7 mb-1.5 leading-snug font-semibold text-navy">
            {block.text}
          </Heading>
        ) : (
          <Block key={block.position} block={block} />
        ),
      )}
    </div>
  )
}

export const noBreakPhones = (text: string) =>
  text.split(/((?:\(\d{3}\) |\d{3}-)\d{3}-\d{4})/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their order.
      <span key={at} className="whitespace-nowrap">
        {part}
      </span>
    ),
  )

function Block({ block }: { block: Exclude<LeaseBlock, { kind: 'heading' }> }) {
  if (block.kind === 'paragraph')
    return <p className="mb-3 whitespace-pre-wrap">{noBreakPhones(block.text)}</p>
  const numbered = block.items.map((item, position) => ({ item, position }))
  return (
    <ul className="mb-3 grid list-disc gap-1 pl-5 marker:text-muted">
      {numbered.map(({ item, position }) => (
        <li key={position} className="whitespace-pre-wrap">
          {noBreakPhones(item)}
        </li>
      ))}
    </ul>
  )
}
