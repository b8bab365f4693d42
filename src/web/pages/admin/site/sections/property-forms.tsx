import {
  Armchair,
  Bath,
  BedDouble,
  Building2,
  CigaretteOff,
  CookingPot,
  Info,
  type LucideIcon,
  Maximize,
  ShowerHead,
  SquareParking,
  Umbrella,
  UsersRound,
  WavesLadder,
  Wifi,
} from 'lucide-react'
import { type amenityIcons, type factIcons, mapKinds } from '../../../../../domain/content/content.ts'
import {
  AltField,
  ChoiceField,
  IconField,
  LineField,
  NumberField,
  ParagraphsField,
  SwitchField,
} from './bound-fields.tsx'
import { EntryList } from './entry-list.tsx'
import { fieldOf, type SectionBinding } from './field-binding.ts'
import { PictureField } from './lazy-forms.tsx'

type Named = { Icon: LucideIcon; text: string }

/** The icons on the page, with their names in the editor. */
export const factIconNames: Record<(typeof factIcons)[number], Named> = {
  bed: { Icon: BedDouble, text: 'Bed' },
  bath: { Icon: Bath, text: 'Bath' },
  guests: { Icon: UsersRound, text: 'Guests' },
  area: { Icon: Maximize, text: 'Area' },
  floor: { Icon: Building2, text: 'Floor' },
  beach: { Icon: Umbrella, text: 'Beach' },
  smoke: { Icon: CigaretteOff, text: 'No smoking' },
  parking: { Icon: SquareParking, text: 'Parking' },
  wifi: { Icon: Wifi, text: 'Wi-Fi' },
  pool: { Icon: WavesLadder, text: 'Pool' },
}

export const amenityIconNames: Record<(typeof amenityIcons)[number], Named> = {
  view: { Icon: Umbrella, text: 'View' },
  living: { Icon: Armchair, text: 'Living' },
  kitchen: { Icon: CookingPot, text: 'Kitchen' },
  bed: { Icon: BedDouble, text: 'Bed' },
  bath: { Icon: ShowerHead, text: 'Bath' },
  rules: { Icon: Info, text: 'Good to know' },
  parking: { Icon: SquareParking, text: 'Parking' },
  wifi: { Icon: Wifi, text: 'Wi-Fi' },
}

export function FactsForm(root: SectionBinding<'facts'>) {
  return (
    <>
      <p className="text-muted">
        For estimates, leases and search engines. Square feet and floor may stay 0, and the list empty.
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
    </>
  )
}

export function AmenitiesForm(root: SectionBinding<'amenities'>) {
  return (
    <>
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
    </>
  )
}

export function HouseRulesForm(root: SectionBinding<'houseRules'>) {
  return (
    <>
      <SwitchField
        field={fieldOf(root, 'showOnPage')}
        label="Show the house rules on the home page"
        hint="After the amenities. Leases include them either way."
      />
      <EntryList
        field={fieldOf(root, 'rules')}
        noun="rule"
        nouns="rules"
        hint="Also in new leases whose wording has the placeholder."
        nameOf={rule => shorten(rule)}
        blank=""
      >
        {(rule, index) => (
          <LineField field={rule} wraps label={`Rule ${index + 1}`} hideLabel className="grow" />
        )}
      </EntryList>
    </>
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
  const { map } = root.value
  return (
    <>
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
            <LineField field={fieldOf(walk, 'where')} label="Where" hideLabel />
            <LineField field={fieldOf(walk, 'how')} label="How far" hideLabel />
          </div>
        )}
      </EntryList>
    </>
  )
}
