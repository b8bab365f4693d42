import { mapKinds } from '../../../../../domain/content/content.ts'
import {
  ChoiceField,
  IconField,
  LineField,
  NumberField,
  ParagraphsField,
  SwitchField,
} from './bound-fields.tsx'
import { amenityIconNames, factIconNames } from './content-icons.ts'
import { EntryList } from './entry-list.tsx'
import { fieldOf, type SectionBinding } from './field-binding.ts'
import { Missing, PlaceholderTextField, SampleHeading, SectionFields } from './page-forms.tsx'
import { AltField, PictureField } from './picture-field.tsx'

export function IdentityForm(root: SectionBinding<'identity'>) {
  const { companyName, ownerEmail, ownerPhone, propertyAddress, propertyName } = root.value
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
      <LineField field={fieldOf(root, 'propertyName')} hint="What guests call the place." />
      <LineField field={fieldOf(root, 'propertyAddress')} />
      <LineField field={fieldOf(root, 'companyName')} hint="The landlord in leases and mails." />
      <LineField
        field={fieldOf(root, 'ownerEmail')}
        type="email"
        hint="Guests write to it. Changing it sends an e-mail to the old and the new address."
      />
      <LineField field={fieldOf(root, 'ownerPhone')} type="tel" />
    </SectionFields>
  )
}

export function FactsForm(root: SectionBinding<'facts'>) {
  return (
    <SectionFields
      sample={
        <>
          {root.value.items.length === 0 && <p className="text-muted">No facts yet.</p>}
          <ul className="grid grid-cols-2 gap-x-4 gap-y-5">
            {root.value.items.map(({ icon, text }, index) => {
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
        <NumberField field={fieldOf(root, 'bedrooms')} />
        <NumberField field={fieldOf(root, 'bathrooms')} step={0.5} />
        <NumberField field={fieldOf(root, 'sleeps')} hint="The most guests a lease can have." />
        <NumberField field={fieldOf(root, 'squareFeet')} />
        <NumberField field={fieldOf(root, 'floor')} />
      </div>
      <EntryList
        field={fieldOf(root, 'items')}
        label="Facts on the page"
        noun="fact"
        nouns="facts"
        nameOf={({ text }) => text}
        blank={{ icon: 'bed', text: '' }}
      >
        {(item, index) => (
          <>
            <IconField field={fieldOf(item, 'icon')} icons={factIconNames} />
            <LineField field={fieldOf(item, 'text')} label={`Fact ${index + 1}`} hideLabel className="grow" />
          </>
        )}
      </EntryList>
    </SectionFields>
  )
}

export function AmenitiesForm(root: SectionBinding<'amenities'>) {
  return (
    <SectionFields sample={<AmenitiesSample {...root.value} />}>
      <LineField field={fieldOf(root, 'title')} />
      <EntryList
        field={fieldOf(root, 'groups')}
        noun="group"
        nouns="groups"
        nameOf={({ title }) => title}
        blank={{ icon: 'view', title: '', items: [''] }}
        cards
      >
        {group => (
          <>
            <div className="flex items-end gap-2">
              <IconField field={fieldOf(group, 'icon')} icons={amenityIconNames} />
              <LineField field={fieldOf(group, 'title')} className="grow" />
            </div>
            <EntryList
              field={fieldOf(group, 'items')}
              noun="item"
              nouns="items"
              nameOf={item => item}
              blank=""
            >
              {(item, index) => (
                <LineField field={item} label={`Item ${index + 1}`} hideLabel className="grow" />
              )}
            </EntryList>
          </>
        )}
      </EntryList>
    </SectionFields>
  )
}

function AmenitiesSample({ groups, title }: SectionBinding<'amenities'>['value']) {
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

export function HouseRulesForm(root: SectionBinding<'houseRules'>) {
  return (
    <SectionFields>
      <SwitchField
        field={fieldOf(root, 'showOnPage')}
        label="Show the house rules on the home page"
        hint="After the amenities. Leases include them either way."
      />
      <EntryList
        field={fieldOf(root, 'rules')}
        noun="rule"
        nouns="rules"
        hint="Listed in the lease where its wording has the placeholder. A lease that is already generated keeps its own."
        nameOf={rule => shorten(rule)}
        blank=""
      >
        {(rule, index) => (
          <LineField field={rule} wraps label={`Rule ${index + 1}`} hideLabel className="grow" />
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

export function LocationForm(root: SectionBinding<'location'>) {
  const { map, text, title, walks } = root.value
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
      <LineField field={fieldOf(root, 'title')} />
      <ParagraphsField field={fieldOf(root, 'text')} rows={3} />
      <ChoiceField
        field={fieldOf(root, 'map')}
        label="Shown beside the address"
        options={mapKinds.map(value => ({ value, text: mapTexts[value] }))}
      />
      {map === 'picture' && (
        <>
          <PictureField
            field={fieldOf(root, 'picture')}
            required
            onChoose={id => root.onChange({ ...root.value, picture: id, alt: '' })}
          />
          <AltField field={fieldOf(root, 'alt')} />
        </>
      )}
      {map !== 'none' && <LineField field={fieldOf(root, 'note')} hint="Below the sketch or the picture." />}
      <EntryList
        field={fieldOf(root, 'walks')}
        label="Walking distances"
        noun="distance"
        nouns="distances"
        nameOf={({ where }) => where}
        blank={{ where: '', how: '' }}
      >
        {walk => (
          <div className="grid grow gap-2 sm:grid-cols-2">
            <LineField field={fieldOf(walk, 'where')} label="Destination" hideLabel />
            <LineField field={fieldOf(walk, 'how')} label="How far" hideLabel />
          </div>
        )}
      </EntryList>
    </SectionFields>
  )
}

export function WaysToPayForm(root: SectionBinding<'waysToPay'>) {
  return (
    <SectionFields>
      <EntryList
        field={fieldOf(root, 'ways')}
        noun="way to pay"
        nouns="ways to pay"
        hint="For tenants who are signed in, besides paying by card. A change sends an e-mail to the owner’s address."
        nameOf={({ name }) => name}
        blank={{ name: '', instructions: '' }}
        cards
      >
        {way => (
          <>
            <LineField field={fieldOf(way, 'name')} />
            <PlaceholderTextField field={fieldOf(way, 'instructions')} rows={3} />
          </>
        )}
      </EntryList>
    </SectionFields>
  )
}
