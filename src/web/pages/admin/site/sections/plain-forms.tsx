import { contactBackgrounds, mapKinds } from '../../../../../domain/content.ts'
import type { SectionFormProps } from '../section-form.ts'
import { AltField } from './alt-field.tsx'
import { amenityIconNames, factIconNames } from './content-icons.ts'
import { EntryList } from './entry-list.tsx'
import { FilledTextField } from './fill-chips.tsx'
import { Missing, SampleHeading, SectionFields } from './page-sample.tsx'
import {
  ChoiceField,
  IconField,
  LineField,
  NumberField,
  ParagraphsField,
  SwitchField,
} from './part-fields.tsx'
import { PictureField } from './picture-field.tsx'
import { fieldOf, wholePart } from './section-part.ts'

export function IdentityForm(props: SectionFormProps<'identity'>) {
  const part = wholePart('identity', props)
  const { companyName, ownerEmail, ownerPhone, propertyAddress, propertyName } = props.body
  return (
    <SectionFields
      sample={
        <>
          <p className="font-display text-2xl text-navy">{propertyName || <Missing>No name</Missing>}</p>
          <p className="mt-2 text-muted">{propertyAddress}</p>
          <p className="mt-5 font-semibold text-navy">{companyName}</p>
          <p className="text-muted">{ownerEmail}</p>
          <p className="text-muted">{ownerPhone}</p>
        </>
      }
    >
      <LineField part={fieldOf(part, 'propertyName')} hint="What guests call the place." />
      <LineField part={fieldOf(part, 'propertyAddress')} />
      <LineField part={fieldOf(part, 'companyName')} hint="The landlord in leases and mails." />
      <LineField
        part={fieldOf(part, 'ownerEmail')}
        type="email"
        hint="Guests write to it. Changing it sends an e-mail to the old and the new address."
      />
      <LineField part={fieldOf(part, 'ownerPhone')} type="tel" />
    </SectionFields>
  )
}

export function SearchForm(props: SectionFormProps<'search'>) {
  const part = wholePart('search', props)
  return (
    <SectionFields>
      <LineField
        part={fieldOf(part, 'title')}
        hint="Follows the property’s name in the browser tab and in search results. Leave it empty to have it made from the facts."
      />
      <LineField
        part={fieldOf(part, 'description')}
        wraps
        hint="The lines below the title in search results. Leave it empty to have it made from the facts."
      />
    </SectionFields>
  )
}

export function OverviewForm(props: SectionFormProps<'overview'>) {
  const part = wholePart('overview', props)
  return (
    <SectionFields
      sample={<SampleHeading eyebrow="Overview" title={props.body.title} intro={props.body.intro} />}
    >
      <LineField part={fieldOf(part, 'title')} />
      <ParagraphsField
        part={fieldOf(part, 'intro')}
        rows={5}
        hint="Always shown. An empty line begins a paragraph."
      />
      <ParagraphsField part={fieldOf(part, 'more')} rows={8} hint="Shown by “Show More”." />
      <PictureField
        part={fieldOf(part, 'picture')}
        // The description was for the previous picture.
        onChoose={id => part.onChange({ ...part.value, picture: id, alt: '' })}
      />
      <AltField part={fieldOf(part, 'alt')} />
    </SectionFields>
  )
}

export function FactsForm(props: SectionFormProps<'facts'>) {
  const part = wholePart('facts', props)
  return (
    <SectionFields
      sample={
        <>
          {props.body.items.length === 0 && <p className="text-muted">No facts yet.</p>}
          <ul className="grid grid-cols-2 gap-x-4 gap-y-5">
            {props.body.items.map(({ icon, text }, index) => {
              const { Icon } = factIconNames[icon]
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: the items have no state
                <li key={index} className="flex items-center gap-3 leading-snug font-semibold text-navy">
                  <Icon aria-hidden strokeWidth={1.5} className="size-7 shrink-0 text-lagoon-dark" />
                  <span className="min-w-0">{text}</span>
                </li>
              )
            })}
          </ul>
        </>
      }
    >
      <p className="text-muted">
        The numbers are for search engines, estimates and leases; the list below is what visitors read.
      </p>
      <div className="grid grid-cols-2 items-start gap-4 sm:grid-cols-3">
        <NumberField part={fieldOf(part, 'bedrooms')} />
        <NumberField part={fieldOf(part, 'bathrooms')} step={0.5} />
        <NumberField part={fieldOf(part, 'sleeps')} hint="The most guests a lease can have." />
        <NumberField part={fieldOf(part, 'squareFeet')} />
        <NumberField part={fieldOf(part, 'floor')} />
      </div>
      <EntryList
        part={fieldOf(part, 'items')}
        label="Facts on the page"
        noun="fact"
        nouns="facts"
        nameOf={({ text }) => text}
        blank={{ icon: 'bed', text: '' }}
      >
        {(item, index) => (
          <>
            <IconField part={fieldOf(item, 'icon')} icons={factIconNames} />
            <LineField part={fieldOf(item, 'text')} label={`Fact ${index + 1}`} hideLabel className="grow" />
          </>
        )}
      </EntryList>
    </SectionFields>
  )
}

export function RatesForm(props: SectionFormProps<'rates'>) {
  const part = wholePart('rates', props)
  return (
    <SectionFields sample={<SampleHeading eyebrow="Rates" {...props.body} />}>
      <LineField part={fieldOf(part, 'title')} />
      <ParagraphsField part={fieldOf(part, 'intro')} rows={3} />
    </SectionFields>
  )
}

export function AvailabilityForm(props: SectionFormProps<'availability'>) {
  const part = wholePart('availability', props)
  return (
    <SectionFields sample={<SampleHeading eyebrow="Availability" {...props.body} />}>
      <LineField part={fieldOf(part, 'title')} />
      <ParagraphsField part={fieldOf(part, 'intro')} rows={3} />
    </SectionFields>
  )
}

export function AmenitiesForm(props: SectionFormProps<'amenities'>) {
  const part = wholePart('amenities', props)
  return (
    <SectionFields sample={<AmenitiesSample {...props.body} />}>
      <LineField part={fieldOf(part, 'title')} />
      <EntryList
        part={fieldOf(part, 'groups')}
        noun="group"
        nouns="groups"
        nameOf={({ title }) => title}
        blank={{ icon: 'view', title: '', items: [''] }}
        cards
      >
        {group => (
          <>
            <div className="flex items-end gap-2">
              <IconField part={fieldOf(group, 'icon')} icons={amenityIconNames} />
              <LineField part={fieldOf(group, 'title')} className="grow" />
            </div>
            <EntryList
              part={fieldOf(group, 'items')}
              noun="item"
              nouns="items"
              nameOf={item => item}
              blank=""
            >
              {(item, index) => (
                <LineField part={item} label={`Item ${index + 1}`} hideLabel className="grow" />
              )}
            </EntryList>
          </>
        )}
      </EntryList>
    </SectionFields>
  )
}

function AmenitiesSample({ groups, title }: SectionFormProps<'amenities'>['body']) {
  return (
    <>
      <SampleHeading eyebrow="Amenities" title={title} />
      {groups.map(({ icon, items, title }, index) => {
        const { Icon } = amenityIconNames[icon]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items have no state
          <div key={index} className="mt-5">
            <p className="flex items-center gap-3 border-b border-glass pb-2 font-semibold text-navy">
              <Icon aria-hidden strokeWidth={1.5} className="size-6 shrink-0 text-lagoon-dark" />
              {title}
            </p>
            <p className="mt-2 text-[0.9375rem] text-muted">{items.filter(Boolean).join(', ')}</p>
          </div>
        )
      })}
    </>
  )
}

export function HouseRulesForm(props: SectionFormProps<'houseRules'>) {
  const part = wholePart('houseRules', props)
  return (
    <SectionFields>
      <SwitchField
        part={fieldOf(part, 'showOnPage')}
        label="Show the house rules on the home page"
        hint="After the amenities. Leases carry them in any case."
      />
      <EntryList
        part={fieldOf(part, 'rules')}
        noun="rule"
        nouns="rules"
        hint="Points of the lease, where its wording asks for them. A lease that is already generated keeps its own."
        nameOf={rule => shorten(rule)}
        blank=""
      >
        {(rule, index) => (
          <LineField part={rule} wraps label={`Rule ${index + 1}`} hideLabel className="grow" />
        )}
      </EntryList>
    </SectionFields>
  )
}

/** The beginning of a sentence, for the labels of its buttons. */
const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40).trimEnd()}…` : text)

const mapTexts: Record<(typeof mapKinds)[number], string> = {
  sketch: 'The sketch of the beach',
  picture: 'A picture',
  none: 'Nothing',
}

export function LocationForm(props: SectionFormProps<'location'>) {
  const part = wholePart('location', props)
  const { map, text, title, walks } = props.body
  return (
    <SectionFields
      sample={
        <>
          <SampleHeading eyebrow="Location" title={title} intro={text} />
          <dl className="mt-5 divide-y divide-line border-y border-line">
            {walks.map(({ how, where }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the items have no state
              <div key={index} className="flex flex-wrap justify-between gap-x-4 py-3">
                <dt className="font-semibold text-navy">{where}</dt>
                <dd className="text-muted">{how}</dd>
              </div>
            ))}
          </dl>
        </>
      }
    >
      <LineField part={fieldOf(part, 'title')} />
      <ParagraphsField part={fieldOf(part, 'text')} rows={3} />
      <ChoiceField
        part={fieldOf(part, 'map')}
        label="Shown beside the address"
        options={mapKinds.map(value => ({ value, text: mapTexts[value] }))}
      />
      {map === 'picture' && (
        <>
          <PictureField
            part={fieldOf(part, 'picture')}
            required
            onChoose={id => part.onChange({ ...part.value, picture: id, alt: '' })}
          />
          <AltField part={fieldOf(part, 'alt')} />
        </>
      )}
      {map !== 'none' && <LineField part={fieldOf(part, 'note')} hint="Below the sketch or the picture." />}
      <EntryList
        part={fieldOf(part, 'walks')}
        label="Ways on foot"
        noun="way"
        nouns="ways"
        nameOf={({ where }) => where}
        blank={{ where: '', how: '' }}
      >
        {walk => (
          <div className="grid grow gap-2 sm:grid-cols-2">
            <LineField part={fieldOf(walk, 'where')} label="Where to" hideLabel />
            <LineField part={fieldOf(walk, 'how')} label="How far" hideLabel />
          </div>
        )}
      </EntryList>
    </SectionFields>
  )
}

const backgroundTexts: Record<(typeof contactBackgrounds)[number], string> = {
  video: 'The video of the sea',
  picture: 'A picture',
}

export function ContactForm(props: SectionFormProps<'contact'>) {
  const part = wholePart('contact', props)
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
      <ParagraphsField part={fieldOf(part, 'text')} rows={3} hint="Below the title “Contact Us”." />
      <LineField part={fieldOf(part, 'directTitle')} hint="Above your e-mail address and phone number." />
      <ParagraphsField part={fieldOf(part, 'directText')} rows={3} />
      <ChoiceField
        part={fieldOf(part, 'background')}
        options={contactBackgrounds.map(value => ({ value, text: backgroundTexts[value] }))}
      />
      {background === 'picture' && <PictureField part={fieldOf(part, 'picture')} required />}
    </SectionFields>
  )
}

export function WaysToPayForm(props: SectionFormProps<'waysToPay'>) {
  const part = wholePart('waysToPay', props)
  return (
    <SectionFields>
      <EntryList
        part={fieldOf(part, 'ways')}
        noun="way to pay"
        nouns="ways to pay"
        hint="For tenants who are signed in, besides paying by card. A change sends an e-mail to the owner’s address."
        nameOf={({ name }) => name}
        blank={{ name: '', instructions: '' }}
        cards
      >
        {way => (
          <>
            <LineField part={fieldOf(way, 'name')} />
            <FilledTextField part={fieldOf(way, 'instructions')} rows={3} />
          </>
        )}
      </EntryList>
    </SectionFields>
  )
}

type LegalFormProps = SectionFormProps<'privacy'> & { name: 'privacy' | 'terms'; title: string }

function LegalForm({ name, title, ...form }: LegalFormProps) {
  const part = wholePart(name, form)
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
        part={fieldOf(part, 'effective')}
        label="Effective"
        hint="As readers see it: October 1, 2025."
      />
      <FilledTextField part={fieldOf(part, 'intro')} rows={4} />
      <FilledTextField
        part={fieldOf(part, 'text')}
        rows={24}
        hint="## and ### begin headings, - and 1. list points. **bold**, *italic*, [words](https://address). All else is shown as typed."
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
