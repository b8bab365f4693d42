import { type ReactNode, useId } from 'react'
import { placeholderNames } from '../../../../../domain/content/content-placeholders.ts'
import { insertText } from '../wording/insert-text.ts'
import { ParagraphsField } from './bound-fields.tsx'
import { type FieldBinding, idOf, labelOfPath } from './field-binding.ts'

type PlaceholderTextFieldProps = { field: FieldBinding<string>; rows?: number; hint?: ReactNode }

/** A text field with placeholder buttons that insert at the cursor. */
export function PlaceholderTextField({ field, rows, hint }: PlaceholderTextFieldProps) {
  const tip = useId()
  return (
    <ParagraphsField
      field={field}
      {...(rows && { rows })}
      hint={hint}
      tools={
        <fieldset aria-labelledby={tip} className="flex flex-wrap items-center gap-1.5">
          <span id={tip} className="text-sm text-muted">
            Insert:
          </span>
          {placeholderNames.map(name => (
            <button
              key={name}
              type="button"
              onClick={() => {
                const control = document.getElementById(idOf(field))
                if (control instanceof HTMLTextAreaElement) insertText(control, `{${name}}`)
              }}
              className="min-h-8 rounded-full border border-line-strong bg-white px-3 text-sm text-navy hover:border-navy pointer-coarse:min-h-11"
            >
              {labelOfPath(name)}
            </button>
          ))}
        </fieldset>
      }
    />
  )
}
