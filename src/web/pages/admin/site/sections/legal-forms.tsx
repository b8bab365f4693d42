import { type ReactNode, useId } from 'react'
import { placeholderNames } from '../../../../../domain/content/content-placeholders.ts'
import { insertText } from '../wording/placeholder-chips.tsx'
import { LineField, ParagraphsField } from './bound-fields.tsx'
import {
  type FieldBinding,
  fieldOf,
  idOf,
  labelOfPath,
  rootField,
  type SectionFormProps,
} from './field-binding.ts'
import { SectionFields } from './page-forms.tsx'

type LegalFormProps = SectionFormProps<'privacy'> & { name: 'privacy' | 'terms'; title: string }

function LegalForm({ name, title, ...form }: LegalFormProps) {
  const root = rootField(name, form)
  const { effective, intro } = form.body
  return (
    <SectionFields
      sample={
        <>
          <p className="font-display text-[2rem] leading-[1.15] text-navy">{title}</p>
          <p className="mt-2 text-muted">Effective {effective}</p>
          <p className="mt-5 text-lg leading-relaxed text-navy">{intro}</p>
        </>
      }
    >
      <LineField
        field={fieldOf(root, 'effective')}
        label="Effective"
        hint="As readers see it: October 1, 2025."
      />
      <PlaceholderTextField field={fieldOf(root, 'intro')} rows={4} />
      <PlaceholderTextField
        field={fieldOf(root, 'text')}
        rows={24}
        hint="## and ### start headings, - and 1. start list items. **bold**, *italic*, [words](https://address). Everything else is shown as typed."
      />
    </SectionFields>
  )
}

export const PrivacyForm = (props: SectionFormProps<'privacy'>) => (
  <LegalForm name="privacy" title="Privacy Policy" {...props} />
)
export const TermsForm = (props: SectionFormProps<'terms'>) => (
  <LegalForm name="terms" title="Terms of Service" {...props} />
)

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
