import type { SectionFormProps } from '../section-form.ts'
import { AltField } from './alt-field.tsx'
import { FocalPointField } from './focal-point-field.tsx'
import { Missing, SectionFields } from './page-sample.tsx'
import { LineField, ParagraphsField } from './part-fields.tsx'
import { PictureField } from './picture-field.tsx'
import { useLibraryPicture } from './picture-library.ts'
import { fieldOf, wholePart } from './section-part.ts'

/** The shipped picture, whose crops were made by hand. */
const ownCuts = 'hero'

export function HeroForm(props: SectionFormProps<'hero'>) {
  const part = wholePart('hero', props)
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
      <LineField part={fieldOf(part, 'eyebrow')} hint="The small line above the headline." />
      <LineField part={fieldOf(part, 'headline')} />
      <ParagraphsField part={fieldOf(part, 'text')} rows={3} />
      <PictureField
        part={fieldOf(part, 'picture')}
        // Description and focal point were for the previous picture.
        onChoose={id => part.onChange({ ...part.value, picture: id, alt: '', focal: { x: 0.5, y: 0.5 } })}
      />
      {own?.id === ownCuts ? (
        <p className="text-muted">
          This picture came with the site and has cuts of its own for every window. For any other picture, you
          choose what stays in view.
        </p>
      ) : (
        own && <FocalPointField part={fieldOf(part, 'focal')} picture={own} />
      )}
      <AltField part={fieldOf(part, 'alt')} />
    </SectionFields>
  )
}
