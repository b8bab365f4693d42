import { api } from '../../api/api.ts'
import { effectiveDate, type LegalPage } from '../../content/legal.ts'
import { privacy } from '../../content/privacy.ts'
import { terms } from '../../content/terms.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { displayHeading } from './section.tsx'
import type { SiteFacts } from './site-facts.ts'
import { TemplateText } from './template-text.tsx'

export function PrivacyPage() {
  return <LegalScreen page={privacy} />
}

export function TermsPage() {
  return <LegalScreen page={terms} />
}

function LegalScreen({ page }: { page: LegalPage }) {
  const site = api.site.get.useQuery()
  return (
    <article className="mx-auto w-full max-w-3xl px-4 py-12 sm:px-6 sm:py-20">
      <h1 className={displayHeading}>{page.title}</h1>
      <p className="mt-3 text-muted">Effective {effectiveDate}</p>
      <QueryView query={site} loading={<TextSkeleton />}>
        {data => <LegalText page={page} site={data.site} />}
      </QueryView>
    </article>
  )
}

function LegalText({ page, site }: { page: LegalPage; site: SiteFacts }) {
  return (
    <>
      <p className="mt-8 text-xl leading-relaxed text-navy">
        <TemplateText text={page.intro} site={site} />
      </p>
      {page.sections.map(({ title, paragraphs, points }) => (
        <section key={title} className="mt-10">
          <h2 className="font-display text-2xl text-navy">{title}</h2>
          {paragraphs?.map(text => (
            <p key={text} className="mt-3 leading-relaxed">
              <TemplateText text={text} site={site} />
            </p>
          ))}
          {points && (
            <ul className="mt-3 list-disc space-y-2 pl-5 leading-relaxed marker:text-brass">
              {points.map(text => (
                <li key={text}>
                  <TemplateText text={text} site={site} />
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
    </>
  )
}

function TextSkeleton() {
  return (
    <div role="status" className="mt-8 min-h-[100rem] space-y-4">
      <span className="sr-only">Loading...</span>
      {[1, 2, 3, 4].map(block => (
        <Skeleton key={block} className="h-40 w-full" />
      ))}
    </div>
  )
}
