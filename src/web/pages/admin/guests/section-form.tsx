import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type ArrivalSection, arrivalSections, arrivalTexts } from '../../../../domain/arrival/arrival.ts'
import { arrivalLabels } from '../../../../domain/arrival/stay-messages.ts'
import { formatMoment } from '../../../../domain/common/dates.ts'
import type { FieldErrors } from '../../../../domain/common/errors.ts'
import { api, newId, type Outputs } from '../../../api/api.ts'
import { useTimeZone } from '../../../features/stays/today.ts'
import { failureTexts } from '../../../forms/failure-toast.ts'
import { Button } from '../../../ui/button.tsx'
import { CardBody } from '../../../ui/card.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Row } from '../../../ui/row.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { ChoiceField, LineField, NumberField, ParagraphsField } from '../site/sections/bound-fields.tsx'
import { EntryList } from '../site/sections/entry-list.tsx'
import { errorOf, type FieldBinding, fieldOf } from '../site/sections/field-binding.ts'
import { PictureField } from '../site/sections/lazy-forms.tsx'

type Body = Record<string, unknown>

const choices: Record<string, { label: string; texts: Record<string, string> }> = {
  from: { label: 'Guests see it', texts: { booked: 'Once they have booked', open: 'When their stay opens' } },
  kind: { label: 'Code', texts: { per_stay: 'Another for each stay', standing: 'The same for everybody' } },
  holds: { label: 'The lock holds', texts: { one: 'One code at a time', many: 'Several codes' } },
  security: { label: 'Password', texts: { wpa: 'Needed', open: 'None' } },
}
/** Lock fields that apply only to per-stay codes. */
const ofStays = ['holds', 'digits']
/** The noun for an entry of each list. */
const nouns: Record<string, [noun: string, nouns: string]> = {
  entries: ['entry', 'entries'],
  items: ['item', 'items'],
  people: ['person', 'people'],
  locks: ['lock', 'locks'],
}
/** A new entry of each list. */
const blanks: Record<string, () => unknown> = {
  entries: () => ({ title: '', text: '', picture: null, alt: '' }),
  items: () => '',
  people: () => ({ name: '', role: '', phone: '' }),
  locks: () => ({ id: newId(), name: '', kind: 'per_stay', holds: 'one', digits: 4, hint: '' }),
}
const hints: Record<string, string> = {
  address: 'Empty: the address of the property.',
  mapLink: 'A link to a map, beginning with https://',
  alt: 'For people who cannot see the picture.',
  text: '- and 1. start list items. **bold**, *italic*, [words](https://address).',
  holds: 'One: a new code replaces the former guest’s. Several: it can be set before they leave.',
  digits: 'Of the codes that are drawn.',
}

type SectionFormProps = {
  name: ArrivalSection
  saved: Outputs['stays']['arrival']['sections'][string]
}

/** A part of the arrival information; its fields follow from its schema. */
export function ArrivalSectionForm({ name, saved }: SectionFormProps) {
  const utils = api.useUtils()
  const save = api.stays.saveSection.useMutation()
  const [{ body, version }, setShown] = useState(saved)
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<{ message: string; fields: FieldErrors }>()
  const form = useRef<HTMLFormElement>(null)
  // The first error may be off the screen.
  useEffect(() => {
    if (!problem) return
    const find = (what: string) => form.current?.querySelector<HTMLElement>(what)
    const first = find('[aria-invalid="true"]') ?? find('[role="alert"]')
    first?.focus()
  }, [problem])
  const show = (shown: typeof saved) => {
    setShown(shown)
    setPassword('')
    setProblem(undefined)
  }
  const store = async (change: { version: number; body: Body; password?: string }) => {
    try {
      show((await save.mutateAsync({ section: name, ...change })).section)
      toast.success('Arrival saved')
    } catch (error) {
      setProblem(failureTexts(error, 'Failed to save arrival'))
    }
    await utils.stays.invalidate()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    return store({ version, body, ...(password && body.security === 'wpa' && { password }) })
  }
  const field: FieldBinding<Body> = {
    section: name,
    schema: arrivalSections[name],
    path: '',
    errors: problem?.fields ?? {},
    value: body,
    onChange: body => setShown({ ...saved, body, version }),
    onLeave: () => {},
  }
  return (
    <CardBody className="border-line py-2! not-first:border-t">
      <Disclosure
        summary={
          <span className="grid min-h-10 content-center leading-snug">
            {arrivalLabels[name]}
            <span className="truncate text-[0.9375rem] font-normal text-muted group-open:hidden">
              {wordsOf(saved.body) || 'Empty'}
            </span>
          </span>
        }
      >
        <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
          <FormError tabIndex={-1}>{problem?.message}</FormError>
          {saved.version > version && (
            <Button variant="secondary" size="sm" className="justify-self-start" onClick={() => show(saved)}>
              Load what was saved meanwhile
            </Button>
          )}
          <AnyFields field={field} />
          {name === 'wifi' && body.security === 'wpa' && (
            <TextField
              label="Wi-Fi password"
              autoComplete="off"
              hint="8 to 63 characters, stored encrypted. Empty: it stays as it is."
              error={problem?.fields.password}
              value={password}
              onChange={event => setPassword(event.target.value)}
            />
          )}
          <Button type="submit" className="justify-self-start" busy={save.isPending} busyLabel="Saving...">
            Save
          </Button>
          {saved.version > 1 && (
            <Earlier name={name} onUse={old => void store({ version: saved.version, body: old })} />
          )}
        </form>
      </Disclosure>
    </CardBody>
  )
}

/** The first words of a part. */
const wordsOf = (body: unknown) =>
  arrivalTexts(body)
    .map(({ text }) => text.replaceAll(/[*_#>`]|\[(.*?)\]\(.*?\)/g, '$1'))
    .filter(Boolean)
    .join(' · ')

/** The versions before the newest, fetched when they are asked for. */
function Earlier({ name, onUse }: { name: ArrivalSection; onUse: (body: Body) => void }) {
  const [isOpen, setOpen] = useState(false)
  const timeZone = useTimeZone()
  const query = api.stays.versions.useQuery({ section: name }, { enabled: isOpen })
  if (!isOpen)
    return (
      <Button variant="ghost" size="sm" className="justify-self-start" onClick={() => setOpen(true)}>
        Earlier versions
      </Button>
    )
  return (
    <QueryView query={query} loading="Loading versions..." error="Failed to load versions">
      {({ versions: [, ...earlier] }) =>
        earlier.map(({ at, body, version }) => (
          <Row
            key={version}
            title={formatMoment(at, timeZone)}
            text={<span className="line-clamp-2">{wordsOf(body)}</span>}
          >
            <Button variant="secondary" size="sm" onClick={() => onUse(body)}>
              Use this one again
            </Button>
          </Row>
        ))
      }
    </QueryView>
  )
}

const AnyFields = ({ field }: { field: FieldBinding<Body> }) =>
  Object.keys(field.value).map(key => {
    const inner = fieldOf(field, key)
    const isHidden = field.value.kind === 'standing' && ofStays.includes(key) && !errorOf(inner)
    return isHidden ? null : <AnyField key={key} name={key} field={inner} />
  })

/** The field for a value, by its name and its kind. */
function AnyField({ field, name }: { field: FieldBinding<unknown>; name: string }) {
  const texts = { hint: hints[name], className: 'max-w-md' }
  const choice = choices[name]
  if (name === 'id') return null
  if (choice) {
    const options = Object.entries(choice.texts).map(([value, text]) => ({ value, text }))
    return (
      <ChoiceField {...texts} label={choice.label} field={field as FieldBinding<string>} options={options} />
    )
  }
  if (Array.isArray(field.value)) return <ListField name={name} field={field as FieldBinding<unknown[]>} />
  if (typeof field.value === 'number') return <NumberField {...texts} field={field as FieldBinding<number>} />
  if (name === 'picture')
    return <PictureField hint="Photograph no code." field={field as FieldBinding<string | null>} />
  if (name === 'text')
    return <ParagraphsField hint={hints.text} field={field as FieldBinding<string>} rows={5} />
  return <LineField hint={hints[name]} field={field as FieldBinding<string>} />
}

function ListField({ field, name }: { field: FieldBinding<unknown[]>; name: string }) {
  const blank = blanks[name]?.()
  const [noun = 'entry', plural = 'entries'] = nouns[name] ?? []
  const nameOf = (entry: unknown) => {
    if (typeof entry === 'string') return entry
    const { name, title } = entry as Body
    return String(name ?? title)
  }
  return (
    <EntryList field={field} noun={noun} nouns={plural} nameOf={nameOf} blank={blank} cards={blank !== ''}>
      {(entry, index) =>
        blank === '' ? (
          <LineField
            hideLabel
            label={`Item ${index + 1}`}
            className="grow"
            field={entry as FieldBinding<string>}
          />
        ) : (
          <AnyFields field={entry as FieldBinding<Body>} />
        )
      }
    </EntryList>
  )
}
