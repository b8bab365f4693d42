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
    <EntryList
      field={fieldOf(root, 'ways')}
      label={<span className="sr-only">Ways to pay</span>}
      noun="way to pay"
      nouns="ways to pay"
      hint="For guests who are logged in, besides cards. You get an email about a change."
      nameOf={({ name }) => name}
      blank={{ name: '', instructions: '' }}
      cards
      folds
    >
      {way => (
        <>
          <LineField field={fieldOf(way, 'name')} className="max-w-md" />
          <WithSitePlaceholders>
            <ParagraphsField field={fieldOf(way, 'instructions')} rows={3} />
          </WithSitePlaceholders>
        </>
      )}
    </EntryList>
  )
}

const placeholders = placeholderNames.map(name => ({ name }))

/** Fields of a section whose texts can have placeholders. */
export const WithSitePlaceholders = ({ children }: { children: ReactNode }) => (
  <WithPlaceholders placeholders={placeholders} tokenOf={name => `{${name}}`}>
    {children}
  </WithPlaceholders>
)
