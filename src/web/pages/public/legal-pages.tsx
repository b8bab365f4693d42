import type { ReactNode } from 'react'
import type { Block, Span } from '../../../domain/content/content-blocks.ts'
import type { LegalView } from '../../../domain/content/content-views.ts'
import { usePageContent } from '../../api/page-content.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { displayHeading } from './section.tsx'
import { phoneHref } from './site-facts.ts'
import { EmailLink, PhoneLink } from './template-text.tsx'
import { withUniqueKeys } from './unique-keys.ts'

export function PrivacyPage() {
  const content = usePageContent('privacy')
  return (
    <LegalScreen title="Privacy Policy">
      <QueryView query={content} loading={<TextSkeleton />} error="Failed to load the page">
        {({ privacy }) => <LegalText page={privacy} />}
      </QueryView>
    </LegalScreen>
  )
}

export function TermsPage() {
  const content = usePageContent('terms')
  return (
    <LegalScreen title="Terms of Service">
      <QueryView query={content} loading={<TextSkeleton />} error="Failed to load the page">
        {({ terms }) => <LegalText page={terms} />}
      </QueryView>
    </LegalScreen>
  )
}

function LegalScreen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <article className="mx-auto w-full max-w-3xl px-4 py-12 wrap-anywhere sm:px-6 sm:py-20">
      <h1 className={displayHeading}>{title}</h1>
      {children}
    </article>
  )
}

function LegalText({ page }: { page: LegalView }) {
  return (
    <>
      <p className="mt-3 text-muted">Effective {page.effective}</p>
      <p className="mt-8 text-xl leading-relaxed whitespace-pre-line text-navy">{page.intro}</p>
      {withUniqueKeys(sectionsOf(page.blocks), ([first]) => first?.kind ?? '').map(
        ({ key, item: blocks }) => (
          <section key={key} className="mt-10">
            {withUniqueKeys(blocks, ({ kind }) => kind).map(({ key, item }) => (
              <BlockText key={key} block={item} />
            ))}
          </section>
        ),
      )}
    </>
  )
}

/** Splits the blocks into sections, each starting with a heading. */
function sectionsOf(blocks: readonly Block[]): Block[][] {
  const found: Block[][] = []
  for (const block of blocks) {
    const last = found.at(-1)
    if (last && !(block.kind === 'heading' && block.level === 2)) last.push(block)
    else found.push([block])
  }
  return found
}

function BlockText({ block }: { block: Block }) {
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
  if (href === `mailto:${text}`) return <EmailLink email={text} />
  if (href === phoneHref(text)) return <PhoneLink phone={text} />
  return (
    <a href={href} className="link" {...(/^https?:/i.test(href) && { rel: 'noreferrer' })}>
      {text}
    </a>
  )
}

function TextSkeleton() {
  return (
    <div role="status" className="mt-3 min-h-[102rem] space-y-4">
      <span className="sr-only">Loading...</span>
      <Skeleton className="mb-8 h-6 w-48" />
      {[1, 2, 3, 4].map(block => (
        <Skeleton key={block} className="h-40 w-full" />
      ))}
    </div>
  )
}
