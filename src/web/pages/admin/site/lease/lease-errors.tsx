import { type RefObject, useEffect, useRef } from 'react'
import { plural } from '../../../../../domain/common/plural.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import type { WordingEditor } from '../wording/use-wording.ts'
import { lineOfError, rangeOfLine } from './lease-lines.ts'

type LeaseErrorsProps = {
  refusal: WordingEditor['refusal']
  textarea: RefObject<HTMLTextAreaElement | null>
}

/** All errors in a lease's wording; an error with a line number links to that line. */
export function LeaseErrors({ refusal, textarea }: LeaseErrorsProps) {
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
