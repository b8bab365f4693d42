import { contactBackgrounds } from '../../../../../domain/content/content.ts'
import type { SectionFormProps } from '../section-form.ts'
import { AltField } from './alt-field.tsx'
import { ChoiceField, LineField, ParagraphsField } from './bound-fields.tsx'
import { fieldOf, rootField } from './field-binding.ts'
import { SampleHeading, SectionFields } from './page-sample.tsx'
import { PictureField } from './picture-field.tsx'

export function SearchForm(props: SectionFormProps<'search'>) {
  const root = rootField('search', props)
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

export function OverviewForm(props: SectionFormProps<'overview'>) {
  const root = rootField('overview', props)
  return (
    <SectionFields
      sample={<SampleHeading eyebrow="Overview" title={props.body.title} intro={props.body.intro} />}
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

export function RatesForm(props: SectionFormProps<'rates'>) {
  const root = rootField('rates', props)
  return (
    <SectionFields sample={<SampleHeading eyebrow="Rates" {...props.body} />}>
      <LineField field={fieldOf(root, 'title')} />
      <ParagraphsField field={fieldOf(root, 'intro')} rows={3} />
    </SectionFields>
  )
}

export function AvailabilityForm(props: SectionFormProps<'availability'>) {
  const root = rootField('availability', props)
  return (
    <SectionFields sample={<SampleHeading eyebrow="Availability" {...props.body} />}>
      <LineField field={fieldOf(root, 'title')} />
      <ParagraphsField field={fieldOf(root, 'intro')} rows={3} />
    </SectionFields>
  )
}

const backgroundTexts: Record<(typeof contactBackgrounds)[number], string> = {
  video: 'The video of the sea',
  picture: 'A picture',
}

export function ContactForm(props: SectionFormProps<'contact'>) {
  const root = rootField('contact', props)
  const { background, directText, directTitle, text } = props.body
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
