import { contactBackgrounds } from '../../../../../domain/content/content.ts'
import { AltField, ChoiceField, LineField, ParagraphsField } from './bound-fields.tsx'
import { fieldOf, type SectionBinding } from './field-binding.ts'
import { FocalPointField } from './focal-point-field.tsx'
import { PictureField } from './lazy-forms.tsx'
import { WithSitePlaceholders } from './owner-forms.tsx'
import { useLibraryPicture } from './picture-library.tsx'

/** The shipped picture, whose crops were made by hand. */
const ownCuts = 'hero'

export function HeroForm(root: SectionBinding<'hero'>) {
  const own = useLibraryPicture(root.value.picture)
  return (
    <>
      <LineField field={fieldOf(root, 'eyebrow')} />
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
    </>
  )
}

export function SearchForm(root: SectionBinding<'search'>) {
  return (
    <>
      <LineField
        field={fieldOf(root, 'title')}
        hint="After the name. If it is empty, the facts stand there."
      />
      <LineField
        field={fieldOf(root, 'description')}
        wraps
        hint="Below the title. If it is empty, the facts stand there."
      />
    </>
  )
}

export function OverviewForm(root: SectionBinding<'overview'>) {
  return (
    <>
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
    </>
  )
}

/** The rates or the availability. */
export function IntroForm(root: SectionBinding<'rates'>) {
  return (
    <>
      <LineField field={fieldOf(root, 'title')} />
      <ParagraphsField field={fieldOf(root, 'intro')} rows={3} />
    </>
  )
}

const backgroundTexts: Record<(typeof contactBackgrounds)[number], string> = {
  video: 'The video of the sea',
  picture: 'A picture',
}

export function ContactForm(root: SectionBinding<'contact'>) {
  return (
    <>
      <ParagraphsField field={fieldOf(root, 'text')} rows={3} />
      <LineField field={fieldOf(root, 'directTitle')} />
      <ParagraphsField field={fieldOf(root, 'directText')} rows={3} />
      <ChoiceField
        field={fieldOf(root, 'background')}
        options={contactBackgrounds.map(value => ({ value, text: backgroundTexts[value] }))}
      />
      {root.value.background === 'picture' && <PictureField field={fieldOf(root, 'picture')} required />}
    </>
  )
}

/** The privacy policy or the terms of service. */
export function LegalForm(root: SectionBinding<'privacy'>) {
  return (
    <>
      <LineField
        field={fieldOf(root, 'effective')}
        label="Effective"
        hint="As readers see it: October 1, 2025."
      />
      <WithSitePlaceholders>
        <ParagraphsField field={fieldOf(root, 'intro')} />
        <ParagraphsField
          field={fieldOf(root, 'text')}
          rows={24}
          hint="## and ### start headings, - and 1. start list items. **bold**, *italic*, [words](https://address)."
        />
      </WithSitePlaceholders>
    </>
  )
}
