import type { Block, Span } from '../../../domain/content/content-blocks.ts'
import { classNames } from '../../ui/class-names.ts'
import { withUniqueKeys } from '../../ui/unique-keys.ts'

/** A block of limited Markdown. */
export function BlockText({ block }: { block: Block }) {
  if (block.kind === 'list') {
    const List = block.ordered ? 'ol' : 'ul'
    return (
      <List
        className={`mt-3 ${block.ordered ? 'list-decimal' : 'list-disc'} space-y-2 pl-5 leading-relaxed marker:text-brass`}
      >
        {withUniqueKeys(block.items, textOf).map(({ key, item }) => (
          <li key={key} className="whitespace-pre-line">
            <Spans spans={item} />
          </li>
        ))}
      </List>
    )
  }
  const spans = <Spans spans={block.spans} />
  if (block.kind === 'paragraph') return <p className="mt-3 leading-relaxed whitespace-pre-line">{spans}</p>
  if (block.level === 2) return <h2 className="font-display text-2xl text-navy">{spans}</h2>
  return <h3 className="mt-6 text-lg font-semibold text-navy">{spans}</h3>
}

const textOf = (spans: readonly Span[]) => spans.map(({ text }) => text).join('')

function Spans({ spans }: { spans: readonly Span[] }) {
  return withUniqueKeys(spans, ({ text }) => text).map(({ key, item }) => <SpanText key={key} span={item} />)
}

function SpanText({ span: { bold, href, italic, text } }: { span: Span }) {
  const linked = href === undefined ? text : <LinkText href={href} text={text} />
  const leaning = italic ? <em>{linked}</em> : linked
  return bold ? <strong>{leaning}</strong> : leaning
}

function LinkText({ href, text }: { href: string; text: string }) {
  const [scheme] = href.split(':')
  const wrap = { mailto: '[overflow-wrap:anywhere]', tel: 'whitespace-nowrap' }[scheme ?? '']
  return (
    <a
      href={href}
      className={classNames('link', wrap)}
      {...(/^https?:/i.test(href) && { rel: 'noreferrer' })}
    >
      {text}
    </a>
  )
}
