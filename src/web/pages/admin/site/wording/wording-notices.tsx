import { Button } from '../../../../ui/button.tsx'
import { FormError } from '../../../../ui/form-error.tsx'
import { Notice } from '../../../../ui/notice.tsx'
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
