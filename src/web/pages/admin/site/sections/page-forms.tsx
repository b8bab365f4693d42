import { type ReactNode, useId } from 'react'
import { contactBackgrounds } from '../../../../../domain/content/content.ts'
import { placeholderNames } from '../../../../../domain/content/content-placeholders.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { insertText } from '../wording/placeholder-chips.tsx'
import { ChoiceField, LineField, ParagraphsField } from './bound-fields.tsx'
import { type FieldBinding, fieldOf, idOf, labelOfPath, type SectionBinding } from './field-binding.ts'
import { FocalPointField } from './focal-point-field.tsx'
import { AltField, PictureField } from './picture-field.tsx'
import { useLibraryPicture } from './picture-library.tsx'

/** A section's fields; on wide windows with a sample of how its main texts look on the page. */
export function SectionFields({ sample, children }: { sample?: ReactNode; children: ReactNode }) {
  return (
    <div className="@container">
      <div
        className={classNames('grid gap-8', sample !== undefined && '@4xl:grid-cols-[minmax(0,1fr)_19rem]')}
      >
        <div className="grid min-w-0 content-start gap-6">{children}</div>
        {sample && (
          // Repeats the texts in the fields, so it is hidden from screen readers.
          <div aria-hidden className="hidden min-w-0 @4xl:block">
            <div className="sticky top-40 overflow-hidden rounded-card border border-line bg-canvas p-5 wrap-anywhere">
              {sample}
            </div>
          </div>
        )}
      </div>
    </div>
  )
}

type SampleHeadingProps = { eyebrow?: string; title: string; intro?: string }

/** The heading of a section as on the page. */
export function SampleHeading({ eyebrow, title, intro }: SampleHeadingProps) {
  return (
    <>
      {eyebrow && (
        <p className="mb-2 text-sm font-semibold tracking-[0.14em] text-brass-dark uppercase">{eyebrow}</p>
      )}
      <p className="font-display text-[2rem] leading-[1.15] text-navy">
        {title || <Missing>No title</Missing>}
      </p>
      {intro && <p className="mt-3 text-muted">{intro}</p>}
    </>
  )
}

/** A placeholder for a text that is not there yet. */
export function Missing({ children }: { children: ReactNode }) {
  return <span className="text-line-strong">{children}</span>
}

/** The shipped picture, whose crops were made by hand. */
const ownCuts = 'hero'

export function HeroForm(root: SectionBinding<'hero'>) {
  const { eyebrow, headline, picture, text } = root.value
  const own = useLibraryPicture(picture)
  return (
    <SectionFields
      sample={
        <>
          <p className="text-sm font-semibold tracking-[0.14em] text-navy uppercase">{eyebrow}</p>
          <p className="mt-3 font-display text-[2.75rem] leading-[1.05] text-navy-dark">
            {headline || <Missing>No headline</Missing>}
          </p>
          <p className="mt-4 text-lg leading-snug text-navy-dark">{text}</p>
        </>
      }
    >
      <LineField field={fieldOf(root, 'eyebrow')} hint="The small line above the headline." />
      <LineField field={fieldOf(root, 'headline')} />
      <ParagraphsField field={fieldOf(root, 'text')} rows={3} />
      <PictureField
        field={fieldOf(root, 'picture')}
        // Description and focal point were for the previous picture.
        onChoose={id => root.onChange({ ...root.value, picture: id, alt: '', focal: { x: 0.5, y: 0.5 } })}
      />
      {own?.id === ownCuts ? (
        <p className="text-muted">
          This picture came with the site and has its own crop for every window size. For any other picture,
          you choose what stays in view.
        </p>
      ) : (
        own && <FocalPointField field={fieldOf(root, 'focal')} picture={own} />
      )}
      <AltField field={fieldOf(root, 'alt')} />
    </SectionFields>
  )
}

export function SearchForm(root: SectionBinding<'search'>) {
  return (
    <SectionFields>
      <LineField
        field={fieldOf(root, 'title')}
        hint="Follows the property’s name in the browser tab and in search results. Leave it empty to generate it from the property facts."
      />
      <LineField
        field={fieldOf(root, 'description')}
        wraps
        hint="The lines below the title in search results. Leave it empty to generate it from the property facts."
      />
    </SectionFields>
  )
}

export function OverviewForm(root: SectionBinding<'overview'>) {
  return (
    <SectionFields
      sample={<SampleHeading eyebrow="Overview" title={root.value.title} intro={root.value.intro} />}
    >
      <LineField field={fieldOf(root, 'title')} />
      <ParagraphsField
        field={fieldOf(root, 'intro')}
        rows={5}
        hint="Always shown. An empty line begins a paragraph."
      />
      <ParagraphsField field={fieldOf(root, 'more')} rows={8} hint="Shown by “Show More”." />
      <PictureField
        field={fieldOf(root, 'picture')}
        // The description was for the previous picture.
        onChoose={id => root.onChange({ ...root.value, picture: id, alt: '' })}
      />
      <AltField field={fieldOf(root, 'alt')} />
    </SectionFields>
  )
}

export function RatesForm(root: SectionBinding<'rates'>) {
  return (
    <SectionFields sample={<SampleHeading eyebrow="Rates" {...root.value} />}>
      <LineField field={fieldOf(root, 'title')} />
      <ParagraphsField field={fieldOf(root, 'intro')} rows={3} />
    </SectionFields>
  )
}

export function AvailabilityForm(root: SectionBinding<'availability'>) {
  return (
    <SectionFields sample={<SampleHeading eyebrow="Availability" {...root.value} />}>
      <LineField field={fieldOf(root, 'title')} />
      <ParagraphsField field={fieldOf(root, 'intro')} rows={3} />
    </SectionFields>
  )
}

const backgroundTexts: Record<(typeof contactBackgrounds)[number], string> = {
  video: 'The video of the sea',
  picture: 'A picture',
}

export function ContactForm(root: SectionBinding<'contact'>) {
  const { background, directText, directTitle, text } = root.value
  return (
    <SectionFields
      sample={
        <>
          <SampleHeading title="Contact Us" intro={text} />
          <p className="mt-6 border-t border-line pt-5 font-display text-2xl text-navy">{directTitle}</p>
          <p className="mt-2 text-muted">{directText}</p>
        </>
      }
    >
      <ParagraphsField field={fieldOf(root, 'text')} rows={3} hint="Below the title “Contact Us”." />
      <LineField field={fieldOf(root, 'directTitle')} hint="Above your e-mail address and phone number." />
      <ParagraphsField field={fieldOf(root, 'directText')} rows={3} />
      <ChoiceField
        field={fieldOf(root, 'background')}
        options={contactBackgrounds.map(value => ({ value, text: backgroundTexts[value] }))}
      />
      {background === 'picture' && <PictureField field={fieldOf(root, 'picture')} required />}
    </SectionFields>
  )
}

type LegalFormProps = { root: SectionBinding<'privacy'>; title: string }

function LegalForm({ root, title }: LegalFormProps) {
  const { effective, intro } = root.value
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

export const PrivacyForm = (root: SectionBinding<'privacy'>) => (
  <LegalForm title="Privacy Policy" root={root} />
)
export const TermsForm = (root: SectionBinding<'terms'>) => <LegalForm title="Terms of Service" root={root} />

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
