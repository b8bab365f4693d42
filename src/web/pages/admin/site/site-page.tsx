import { useCallback, useState } from 'react'
import { Link } from 'wouter'
import type { SectionName, SiteContent } from '../../../../domain/content/content.ts'
import { api } from '../../../api/api.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { AreaPage } from '../area.tsx'
import { PublishBar, useLeadTo, WithDraft } from './content-editor.tsx'
import { SectionCard } from './section-card.tsx'
import type { Draft } from './section-draft.ts'
import { useHasExamples } from './sections/picture-library.tsx'
import { sectionForms } from './sections/section-forms.tsx'
import { pageGroups, sectionLabels, sectionNames } from './sections/section-labels.ts'
import { useSectionDrafts, useUnsaved } from './use-section-draft.ts'

/** Edits the words and pictures of the public pages. */
export function SitePage() {
  return (
    <AreaPage
      area="site"
      subtitle="Your public pages"
      action={
        <Button asChild variant="secondary">
          <Link href={paths.adminSiteVersions}>Versions</Link>
        </Button>
      }
    >
      <WithDraft>{draft => <PageSections draft={draft} />}</WithDraft>
    </AreaPage>
  )
}

const pageSections = pageGroups.flatMap(({ names }) => names)

/** The sections of the public pages, in groups, below a bar that publishes them. */
function PageSections({ draft }: { draft: Draft }) {
  const drafts = useSectionDrafts(draft, pageSections)
  const [open, setOpen] = useState<readonly string[]>([location.hash.slice(1)])
  const show = useCallback(
    (name: SectionName, isShown: boolean) =>
      setOpen(names => [...names.filter(other => other !== name), ...(isShown ? [name] : [])]),
    [],
  )
  const leadTo = useLeadTo(name => show(name, true))
  const unsaved = useUnsaved(drafts)
  const examples = useExamples(draft)
  return (
    <div className="grid grid-cols-1 gap-3">
      <PublishBar
        draft={draft}
        drafts={drafts}
        unpublished={sectionNames.filter(name => draft.sections[name].changed || unsaved.includes(name))}
        examples={examples}
        open={open}
        isSticky
        onShowError={leadTo}
      />
      {pageGroups.map(({ names, title }) => (
        <section
          key={title}
          aria-labelledby={title}
          className="mt-4 grid grid-cols-1 gap-x-8 gap-y-3 first-of-type:mt-1 lg:grid-cols-[11rem_minmax(0,1fr)]"
        >
          <h2 id={title} className="text-lg font-semibold text-navy lg:pt-4.5">
            {title}
          </h2>
          <div className="joined-cards">
            {names.map(name => {
              const section = drafts.get(name)
              return (
                section && (
                  <SectionCard
                    key={name}
                    draft={section}
                    Form={sectionForms[name]}
                    errors={draft.faults}
                    isExample={examples.includes(name)}
                    isOpen={open.includes(name)}
                    onShow={show}
                  />
                )
              )
            })}
          </div>
        </section>
      ))}
    </div>
  )
}

/** The sections that are still as shipped, or show the shipped pictures; the dashboard's list of examples by section. */
function useExamples({ sections }: Draft): SectionName[] {
  const named = api.opening.get.useQuery().data?.examples ?? []
  const enabled = useHasExamples()
  const shipped = api.pictures.list
    .useQuery(undefined, { enabled })
    .data?.pictures.flatMap(({ id, shipped }) => (shipped ? [id] : []))
  return sectionNames.filter(name => {
    const { picture, pictures } = sections[name].body as Partial<SiteContent['gallery'] & SiteContent['hero']>
    const used = [picture, ...(pictures ?? []).map(({ picture }) => picture)]
    const isNamed = named.includes(sectionLabels[name].toLowerCase()) && !sections[name].changed
    return isNamed || (enabled && used.some(id => id && shipped?.includes(id)))
  })
}
