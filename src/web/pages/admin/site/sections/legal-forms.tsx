import type { SectionFormProps } from '../section-form.ts'
import { LineField } from './bound-fields.tsx'
import { fieldOf, rootField } from './field-binding.ts'
import { SectionFields } from './page-sample.tsx'
import { PlaceholderTextField } from './placeholder-text-field.tsx'

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
