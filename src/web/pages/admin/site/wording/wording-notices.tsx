import { Button } from '../../../../ui/button.tsx'
import { FormError } from '../../../../ui/form-error.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { ClashNotice } from './clash-notice.tsx'
import type { WordingEditor } from './use-wording.ts'

/** Notices above a wording: a refused save, a conflict, or text restored after a reload. */
export function WordingNotices({ editor }: { editor: WordingEditor }) {
  const { clash, discard, refusal, restored } = editor
  return (
    <>
      <FormError>{refusal.formError}</FormError>
      <ClashNotice editor={editor} />
      {restored && !clash && (
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
