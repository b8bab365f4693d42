import { useMutation } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useRef } from 'react'
import { fetchFile, openFile } from '../../../../api/files.ts'
import { toastFailure } from '../../../../forms/failure-toast.ts'
import { BusyButton } from '../../calendars/busy-button.tsx'
import { SetupCard } from '../../setup/setup-card.tsx'
import { insertText } from '../wording/insert-text.ts'
import { PlaceholderChips } from '../wording/placeholder-chips.tsx'
import { useWording, type WordingEditor } from '../wording/use-wording.ts'
import { VersionsCard } from '../wording/versions-card.tsx'
import { WordingActions } from '../wording/wording-actions.tsx'
import type { Wording } from '../wording/wording-data.ts'
import { WordingNotices } from '../wording/wording-notices.tsx'
import { LeaseErrors } from './lease-errors.tsx'
import { LeaseTextField } from './lease-text-field.tsx'

export function LeaseEditor({ wording }: { wording: Wording }) {
  const editor = useWording(wording)
  const textarea = useRef<HTMLTextAreaElement>(null)
  return (
    <div className="grid grid-cols-1 gap-6">
      <SetupCard title="Lease wording" subtitle="Used for leases that are generated from now on.">
        <div className="grid grid-cols-1 gap-5">
          <WordingNotices editor={editor} />
          <LeaseErrors refusal={editor.refusal} textarea={textarea} />
          <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_18rem]">
            <div className="lg:sticky lg:top-20 lg:order-last">
              <PlaceholderChips
                placeholders={wording.placeholders}
                target="the text"
                onInsert={words => textarea.current && insertText(textarea.current, words)}
              />
            </div>
            <LeaseTextField
              textarea={textarea}
              text={editor.body.text ?? ''}
              hasErrors={editor.refusal.errors.text !== undefined}
              onChange={text => editor.change({ text })}
            />
          </div>
          <WordingActions editor={editor}>
            <PreviewButton editor={editor} />
          </WordingActions>
        </div>
      </SetupCard>
      <VersionsCard editor={editor} onPut={() => textarea.current?.focus()} />
    </div>
  )
}

/** Opens a PDF of the typed text with sample data in a new tab. */
function PreviewButton({ editor: { body, refusal } }: { editor: WordingEditor }) {
  const preview = useMutation({
    mutationFn: () => openFile(() => fetchFile('/api/site/admin/lease-preview', { body })),
    onSuccess: refusal.clear,
    onError: error => {
      toastFailure(error, {
        failed: 'Failed to make the preview',
        noResponse: 'The preview could not be opened. Allow new tabs for this site, and try again.',
      })
      refusal.show(error, 'Failed to make the preview')
    },
  })
  return (
    <BusyButton
      variant="secondary"
      busy={preview.isPending}
      busyLabel="Preparing..."
      onClick={() => preview.mutate()}
    >
      <ExternalLink aria-hidden />
      Preview as PDF
    </BusyButton>
  )
}
