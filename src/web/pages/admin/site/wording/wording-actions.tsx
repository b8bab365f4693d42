import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { maxVersionNote } from '../../../../../domain/content/wording.ts'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { BusyButton } from '../../calendars/busy-button.tsx'
import type { WordingEditor } from './use-wording.ts'

type WordingActionsProps = {
  editor: WordingEditor
  /** Additional actions for the typed wording. */
  children: ReactNode
}

/** Saves a wording with a note, or restores the original wording. */
export function WordingActions({ editor, children }: WordingActionsProps) {
  const [note, setNote] = useState('')
  const [asksToReset, setAsksToReset] = useState(false)
  const { backToOriginal, isSaving, save } = editor
  const submit = async () => {
    if (await save(note.trim())) setNote('')
  }
  return (
    <div className="grid gap-4">
      <TextField
        label="Note (optional)"
        hint="What you changed, for the list of earlier versions."
        maxLength={maxVersionNote}
        value={note}
        onChange={event => setNote(event.target.value)}
      />
      <div className="flex flex-wrap items-center gap-3 max-sm:*:grow">
        <BusyButton busy={isSaving && !asksToReset} busyLabel="Saving..." onClick={() => void submit()}>
          Save wording
        </BusyButton>
        {children}
        <BusyButton variant="ghost" disabled={isSaving} onClick={() => setAsksToReset(true)}>
          Back to the original
        </BusyButton>
        <SaveState editor={editor} />
      </div>
      <ConfirmDialog
        open={asksToReset}
        title="Go back to the original wording?"
        body="The words that the site came with are saved as a new version. Yours stay among the earlier versions, but what you have not saved is gone."
        confirmLabel="Back to the original"
        busy={isSaving}
        busyLabel="Saving..."
        onConfirm={async () => {
          await backToOriginal()
          setAsksToReset(false)
        }}
        onCancel={() => setAsksToReset(false)}
      />
    </div>
  )
}

function SaveState({ editor: { hasSaved, isDirty, isSaving } }: { editor: WordingEditor }) {
  const text = isSaving ? 'Saving...' : hasSaved ? 'Saved' : isDirty ? 'Not saved yet' : ''
  return (
    <p role="status" className="flex items-center gap-1.5 text-muted">
      {hasSaved && !isSaving && <Check aria-hidden className="size-4.5 text-green" />}
      {text}
    </p>
  )
}
