import { useMutation } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { plural } from '../../../../domain/common/plural.ts'
import { maxLeaseCharacters } from '../../../../domain/content/wording.ts'
import { api } from '../../../api/api.ts'
import { fetchFile, openFile } from '../../../api/files.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import { insertText, PlaceholderChips } from './wording/placeholder-chips.tsx'
import type { Wording } from './wording/use-wording.ts'
import { useWording, type WordingEditor } from './wording/use-wording.ts'
import { VersionsCard } from './wording/versions-card.tsx'
import { WordingActions, WordingNotices } from './wording/wording-actions.tsx'

/** Edits the wording of leases that are generated from now on. */
export function LeaseTab() {
  const query = api.wordings.get.useQuery({ kind: 'lease' })
  return (
    <QueryView query={query} loading="Loading the lease wording..." error="Failed to load the wording">
      {({ wording }) => <LeaseEditor wording={wording} />}
    </QueryView>
  )
}

function LeaseEditor({ wording }: { wording: Wording }) {
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

type LeaseTextFieldProps = {
  textarea: RefObject<HTMLTextAreaElement | null>
  text: string
  hasErrors: boolean
  onChange: (text: string) => void
}

/** The lease's text, with its length and the line number of the cursor, because errors refer to lines. */
function LeaseTextField({ hasErrors, onChange, text, textarea }: LeaseTextFieldProps) {
  const position = useCursor(textarea)
  const count = `${text.length.toLocaleString('en-US')} of ${maxLeaseCharacters.toLocaleString('en-US')} characters`
  return (
    <div className="grid gap-1.5">
      <TextAreaField
        ref={textarea}
        label="Text of the lease"
        required
        rows={26}
        spellCheck
        className="[&_textarea]:max-h-[75dvh] [&_textarea]:font-mono [&_textarea]:text-[0.9375rem] [&_textarea]:leading-relaxed"
        value={text}
        onChange={event => onChange(event.target.value)}
        {...(hasErrors && { 'aria-errormessage': 'lease-errors' })}
      />
      <p className="flex flex-wrap justify-between gap-x-4 text-sm text-muted tabular-nums">
        <span className={text.length > maxLeaseCharacters ? 'font-semibold text-red' : undefined}>
          {count}
        </span>
        <span>
          Line {lineAt(text, position)} of {lineAt(text, text.length)}
        </span>
      </p>
    </div>
  )
}

/** The cursor position of a field; it is kept while another field has the focus. */
function useCursor(field: RefObject<HTMLTextAreaElement | null>): number {
  const [position, setPosition] = useState(0)
  useEffect(() => {
    const read = () => {
      if (document.activeElement === field.current) setPosition(field.current?.selectionStart ?? 0)
    }
    document.addEventListener('selectionchange', read)
    return () => document.removeEventListener('selectionchange', read)
  }, [field])
  return position
}

type LeaseErrorsProps = {
  refusal: WordingEditor['refusal']
  textarea: RefObject<HTMLTextAreaElement | null>
}

/** All errors in a lease's wording; an error with a line number links to that line. */
function LeaseErrors({ refusal, textarea }: LeaseErrorsProps) {
  const box = useRef<HTMLDivElement>(null)
  const { times } = refusal
  useEffect(() => {
    if (times > 0) box.current?.focus()
  }, [times])
  const { text } = refusal.errors
  if (!text) return null
  const sentences = text.split('\n')
  return (
    <Notice
      ref={box}
      tabIndex={-1}
      tone="danger"
      role="alert"
      id="lease-errors"
      title={`${plural(sentences.length, 'error')} to fix before this can be saved:`}
    >
      <ul className="mt-1 grid gap-1">
        {sentences.map(sentence => (
          <li key={sentence} className="flex flex-wrap items-center gap-x-3">
            {sentence}
            <LineButton line={lineOfError(sentence)} textarea={textarea} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function LineButton({ line, textarea }: Pick<LeaseErrorsProps, 'textarea'> & { line: number | undefined }) {
  if (line === undefined) return null
  const show = () => {
    const field = textarea.current
    const range = field && rangeOfLine(field.value, line)
    if (!range) return
    // First without a selection, because browsers scroll to the cursor of a field that gets the focus.
    field.setSelectionRange(range.start, range.start)
    field.blur()
    field.focus()
    field.setSelectionRange(range.start, range.end)
  }
  return (
    <Button variant="secondary" size="sm" onClick={show}>
      Go to line {line}
    </Button>
  )
}

/** The line number of the cursor, starting from 1. */
export const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length

/** The start and end positions of a line; undefined if the line does not exist. */
export function rangeOfLine(text: string, line: number): { start: number; end: number } | undefined {
  const lines = text.split('\n')
  const words = lines[line - 1]
  if (words === undefined) return undefined
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  return { start, end: start + words.length }
}

/** The line number in an error message: 12 in 'Line 12 of the lease template has …'. */
export function lineOfError(error: string): number | undefined {
  const [, line] = /^Line (\d+)\b/.exec(error) ?? []
  return line === undefined ? undefined : Number(line)
}
