import { api } from '../../../api/api.ts'
import { QueryView } from '../../../ui/query-view.tsx'

/** What was published, newest first. */
export function VersionsTab() {
  const query = api.editor.versions.useQuery()
  return (
    <QueryView query={query} loading="Loading site..." error="Failed to load the site">
      {({ versions }) => <p>{versions.length}</p>}
    </QueryView>
  )
}
