import { sectionNames } from '../../../../domain/content.ts'
import { api } from '../../../api/api.ts'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { sectionLabels } from './sections/section-forms.tsx'

/** The sections of the public pages' words, a card for each. */
export function WordsTab() {
  const query = api.editor.draft.useQuery()
  return (
    <QueryView query={query} loading="Loading site..." error="Failed to load the site">
      {() => (
        <div className="grid gap-6">
          {sectionNames.map(name => (
            <Card key={name} aria-label={sectionLabels[name]}>
              <CardHeader title={sectionLabels[name]} />
            </Card>
          ))}
        </div>
      )}
    </QueryView>
  )
}
