import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { maxVersionNote, wordingMessages } from '../../../../../domain/content/wording.ts'
import { BusyButton } from '../../../../ui/busy-button.tsx'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { FormError } from '../../../../ui/form-error.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { StaleNotice } from '../../stale-notice.tsx'
import { TextPair } from '../change-list.tsx'
import { fieldNames, type WordingBody, type WordingEditor } from './use-wording.ts'

/** Notices above a wording: a refused save, a conflict, or text restored after a reload. */
export function WordingNotices({ editor }: { editor: WordingEditor }) {
  const { draft, refusal, restored, saved, theirs } = editor
  return (
    <>
      <FormError>{refusal.formError}</FormError>
      <WordingConflict editor={editor} />
      {restored && !theirs && (
        <Notice
          role="status"
          title="These words are not saved yet"
          action={
            <Button variant="secondary" size="sm" onClick={() => draft.reset(saved)}>
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

/** Two conflicting wordings, of which the owner has to choose one. */
function WordingConflict({ editor: { body, draft, isSaving, theirs } }: { editor: WordingEditor }) {
  if (!theirs) return null
  return (
    <StaleNotice
      title={wordingMessages.stale}
      saved={theirs}
      busy={isSaving}
      takesFocus
      choices={[
        { label: 'Keep mine', onChoose: draft.keepMine },
        { label: 'Take theirs', onChoose: draft.takeTheirs },
      ]}
    >
      <WordingChanges mine={body} theirs={theirs.body} />
    </StaleNotice>
  )
}

function WordingChanges({ mine, theirs }: { mine: WordingBody; theirs: WordingBody }) {
  const changed = Object.keys(theirs).filter(field => mine[field] !== theirs[field])
  return (
    // The region scrolls, so the keyboard must reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls
    <section aria-label="Both wordings" tabIndex={0} className="mt-3 grid max-h-96 gap-3 overflow-y-auto">
      {changed.map(field => (
        <TextPair
          key={field}
          sides={{
            before: `Theirs: ${fieldNames[field] ?? field}`,
            after: `Mine: ${fieldNames[field] ?? field}`,
          }}
          before={theirs[field] ?? ''}
          after={mine[field] ?? ''}
        />
      ))}
    </section>
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

function SaveState({ editor: { isSaving, phase, unsaved } }: { editor: WordingEditor }) {
  const hasSaved = phase === 'saved' && !unsaved
  const text = isSaving ? 'Saving...' : hasSaved ? 'Saved' : unsaved ? 'Not saved yet' : ''
  return (
    <p role="status" className="flex items-center gap-1.5 text-muted">
      {hasSaved && !isSaving && <Check aria-hidden className="size-4.5 text-green" />}
      {text}
    </p>
  )
}
