import type { ReactNode } from 'react'
import { placeholderNames } from '../../../../../domain/content/content-placeholders.ts'
import { WithPlaceholders } from '../with-placeholders.tsx'
import { LineField, ParagraphsField } from './bound-fields.tsx'
import { EntryList } from './entry-list.tsx'
import { fieldOf, type SectionBinding } from './field-binding.ts'

export function IdentityForm(root: SectionBinding<'identity'>) {
  return (
    <>
      <LineField field={fieldOf(root, 'propertyName')} hint="What guests call the place." />
      <LineField field={fieldOf(root, 'propertyAddress')} />
      <LineField field={fieldOf(root, 'companyName')} hint="The landlord in leases and emails." />
      <LineField
        field={fieldOf(root, 'ownerEmail')}
        type="email"
        hint="Guests write to it. Both addresses get an email about a change."
      />
      <LineField field={fieldOf(root, 'ownerPhone')} type="tel" />
    </>
  )
}

export function WaysToPayForm(root: SectionBinding<'waysToPay'>) {
  return (
    <WithSitePlaceholders>
      <EntryList
        field={fieldOf(root, 'ways')}
        label="Ways to pay"
        noun="way to pay"
        nouns="ways to pay"
        hint="For signed-in guests, besides cards. You get an email about a change."
        nameOf={({ name }) => name}
        blank={{ name: '', instructions: '' }}
        cards
        folds
      >
        {way => (
          <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
            <LineField field={fieldOf(way, 'name')} />
            <ParagraphsField field={fieldOf(way, 'instructions')} rows={3} />
          </div>
        )}
      </EntryList>
    </WithSitePlaceholders>
  )
}

const placeholders = placeholderNames.map(name => ({ name }))

/** Fields of a section whose texts can have placeholders. */
export function WithSitePlaceholders({ children }: { children: ReactNode }) {
  return (
    <WithPlaceholders
      placeholders={placeholders}
      tokenOf={name => `{${name}}`}
      // Without a text in sight there is nothing to insert into.
      className="[&:has(details):not(:has([open]))>fieldset]:hidden"
    >
      {children}
    </WithPlaceholders>
  )
}
