import { type RefObject, useEffect, useState } from 'react'
import { maxLeaseCharacters } from '../../../../../domain/content/wording.ts'
import { TextAreaField } from '../../../../ui/text-field.tsx'
import { lineAt } from './lease-lines.ts'

type LeaseTextFieldProps = {
  textarea: RefObject<HTMLTextAreaElement | null>
  text: string
  hasErrors: boolean
  onChange: (text: string) => void
}

/** The lease's text, with its length and the line number of the cursor, because errors refer to lines. */
export function LeaseTextField({ hasErrors, onChange, text, textarea }: LeaseTextFieldProps) {
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
