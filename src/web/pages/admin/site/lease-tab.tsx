import { api } from '../../../api/api.ts'
import { QueryView } from '../../../ui/query-view.tsx'
import { LeaseEditor } from './lease/lease-editor.tsx'

/** Edits the wording of leases that are generated from now on. */
export function LeaseTab() {
  const query = api.wordings.get.useQuery({ kind: 'lease' })
  return (
    <QueryView query={query} loading="Loading the lease wording..." error="Failed to load the wording">
      {({ wording }) => <LeaseEditor wording={wording} />}
    </QueryView>
  )
}
