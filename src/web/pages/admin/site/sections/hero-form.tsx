import type { SectionFormProps } from '../section-form.ts'
import { AltField } from './alt-field.tsx'
import { LineField, ParagraphsField } from './bound-fields.tsx'
import { fieldOf, rootField } from './field-binding.ts'
import { FocalPointField } from './focal-point-field.tsx'
import { Missing, SectionFields } from './page-sample.tsx'
import { PictureField } from './picture-field.tsx'
import { useLibraryPicture } from './picture-library.ts'

/** The shipped picture, whose crops were made by hand. */
const ownCuts = 'hero'

export function HeroForm(props: SectionFormProps<'hero'>) {
  const root = rootField('hero', props)
  const { eyebrow, headline, picture, text } = props.body
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
