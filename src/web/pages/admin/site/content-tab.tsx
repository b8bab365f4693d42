import { useCallback, useState } from 'react'
import type { SectionName } from '../../../../domain/content/content.ts'
import { api } from '../../../api/api.ts'
import { QueryView } from '../../../ui/query-view.tsx'
import { PublishBar } from './publish-bar.tsx'
import { SectionCard } from './section-card.tsx'
import { focusFieldAfterRender } from './sections/focus-field.ts'
import { sectionNames } from './sections/section-labels.ts'
import { type Draft, useSectionDrafts } from './use-section-draft.ts'

/** The texts of the public pages, with one card per section. */
export function ContentTab() {
  const query = api.editor.draft.useQuery()
  return (
    <QueryView query={query} loading="Loading site..." error="Failed to load the site">
      {({ draft }) => <ContentEditor draft={draft} />}
    </QueryView>
  )
}

function ContentEditor({ draft }: { draft: Draft }) {
  const drafts = useSectionDrafts(draft)
  const [open, setOpen] = useState<readonly SectionName[]>([])
  const show = useCallback(
    (name: SectionName, isShown: boolean) =>
      setOpen(names => [...names.filter(other => other !== name), ...(isShown ? [name] : [])]),
    [],
  )
  const leadTo = (name: SectionName, path: string) => {
    show(name, true)
    focusFieldAfterRender(name, path)
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      <PublishBar draft={draft} drafts={drafts} onShowError={leadTo} />
      {sectionNames.map(name => {
        const section = drafts.get(name)
        return (
          section && (
            <SectionCard
              key={name}
              draft={section}
              errors={draft.faults}
              isOpen={open.includes(name)}
              onShow={show}
            />
          )
        )
      })}
    </div>
  )
}
