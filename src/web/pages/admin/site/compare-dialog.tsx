import type { Inputs } from '../../../api/api.ts'
import { api } from '../../../api/api.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { ChangeList, type Sides } from './change-list.tsx'

type CompareDialogProps = Inputs['editor']['compare'] & {
  title: string
  sides: Sides
  onClose: () => void
}

/** Compares two states of the content side by side. */
export function CompareDialog({ from, to, title, sides, onClose }: CompareDialogProps) {
  const query = api.editor.compare.useQuery({ from, to }, { staleTime: 0, gcTime: 0 })
  return (
    <Dialog
      open
      size="xl"
      title={title}
      onOpenChange={next => !next && onClose()}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <QueryView
        query={query}
        loading="Comparing..."
        error="Failed to compare"
        empty={({ changes }) => changes.length === 0 && <p>Both versions are the same.</p>}
      >
        {({ changes }) => <ChangeList changes={changes} sides={sides} />}
      </QueryView>
    </Dialog>
  )
}
