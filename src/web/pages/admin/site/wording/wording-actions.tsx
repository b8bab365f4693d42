import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { maxVersionNote } from '../../../../../domain/content/wording.ts'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { FormError } from '../../../../ui/form-error.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { BusyButton } from '../../calendars/busy-button.tsx'
import { ConflictNotice } from './conflict-notice.tsx'
import type { WordingEditor } from './use-wording.ts'

/** Notices above a wording: a refused save, a conflict, or text restored after a reload. */
export function WordingNotices({ editor }: { editor: WordingEditor }) {
  const { conflict, discard, refusal, restored } = editor
  return (
    <>
      <FormError>{refusal.formError}</FormError>
      <ConflictNotice editor={editor} />
      {restored && !conflict && (
        <Notice
          role="status"
          title="These words are not saved yet"
          action={
            <Button variant="secondary" size="sm" onClick={discard}>
              Discard them
            </Button>
          }
        >
          You typed them here earlier, and this browser kept them.
        </Notice>
      )}
    </>
  )
}

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
