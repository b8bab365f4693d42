import type { ReactNode } from 'react'
import type { Block } from '../../../domain/content/content-blocks.ts'
import type { LegalView } from '../../../domain/content/content-views.ts'
import { usePageContent } from '../../api/site.ts'
import { BlockText } from '../../features/content/block-text.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { withUniqueKeys } from '../../ui/unique-keys.ts'
import { displayHeading } from './section.tsx'

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
