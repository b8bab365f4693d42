import { ChevronDown, CircleAlert, Star } from 'lucide-react'
import { useState } from 'react'
import { formatShortDate } from '../../../../../domain/common/dates.ts'
import { plural } from '../../../../../domain/common/plural.ts'
import type { Review } from '../../../../../domain/content/content.ts'
import { newId } from '../../../../api/api.ts'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { ChoiceField, DateField, LineField, ParagraphsField, SwitchField } from './bound-fields.tsx'
import { EntryActions, ListFrame } from './entry-list.tsx'
import {
  entryOf,
  errorCount,
  type FieldBinding,
  fieldOf,
  idOf,
  type SectionBinding,
} from './field-binding.ts'
import { SortableEntries, SortableEntry } from './sortable-entries.tsx'
import { useEntries } from './use-entries.ts'

export function ReviewsForm(root: SectionBinding<'reviews'>) {
  return (
    <>
      <LineField field={fieldOf(root, 'title')} />
      <ReviewList field={fieldOf(root, 'reviews')} />
    </>
  )
}

function ReviewList({ field }: { field: FieldBinding<Review[]> }) {
  const [openKey, setOpenKey] = useState<string>()
  const entries = useEntries({ field, noun: 'review', nameOf: ({ name }) => name })
  const { add, announce, focusAdd, keys, nameAt } = entries
  const samples = field.value.filter(({ sample }) => sample).length
  const removeSamples = () => {
    field.onChange(field.value.filter(({ sample }) => !sample))
    announce(`Removed ${plural(samples, 'sample')}`)
    focusAdd()
  }
  return (
    <>
      {samples > 0 && <SamplesNotice count={samples} onRemove={removeSamples} />}
      <ListFrame
        field={field}
        entries={entries}
        nouns="reviews"
        hint="Shown newest first; those of one day as here."
        addLabel="Add review"
        onAdd={() => setOpenKey(add(newReview())[0])}
      >
        {keys.length === 0 && <p className="text-muted">No reviews yet.</p>}
        <SortableEntries entries={entries}>
          <ul className="grid gap-2">
            {keys.map((key, index) => (
              <SortableEntry
                key={key}
                id={key}
                name={nameAt(index)}
                className="rounded-control border border-line bg-canvas"
              >
                {handle => (
                  <>
                    <div className="flex flex-wrap items-center">
                      {handle}
                      <ReviewButton
                        review={entryOf(field, index)}
                        name={nameAt(index)}
                        isOpen={key === openKey}
                        onToggle={() => setOpenKey(key === openKey ? undefined : key)}
                      />
                      <EntryActions entries={entries} index={index} className="max-sm:w-full" />
                    </div>
                    {key === openKey && <ReviewFields review={entryOf(field, index)} />}
                  </>
                )}
              </SortableEntry>
            ))}
          </ul>
        </SortableEntries>
      </ListFrame>
    </>
  )
}

function SamplesNotice({ count, onRemove }: { count: number; onRemove: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-control border border-line bg-canvas p-4">
      <span>
        {count === 1 ? '1 review is a sample' : `${count} reviews are samples`}. A live site cannot publish
        samples.
      </span>
      <Button variant="secondary" onClick={onRemove}>
        Remove all samples
      </Button>
    </div>
  )
}

const newReview = (): Review => ({
  id: newId(),
  name: '',
  rating: 5,
  date: '',
  title: '',
  content: '',
  stayed: '',
  verified: false,
  sample: false,
  applicationId: null,
})

type ReviewButtonProps = { review: FieldBinding<Review>; name: string; isOpen: boolean; onToggle: () => void }

/** The review in one line; a click opens its fields. */
function ReviewButton({ review, name, isOpen, onToggle }: ReviewButtonProps) {
  const { date, rating, sample, title } = review.value
  return (
    <button
      type="button"
      id={idOf(review)}
      aria-expanded={isOpen}
      onClick={onToggle}
      className="flex min-h-11 min-w-0 grow basis-0 items-center gap-3 py-2 text-left"
    >
      <ChevronDown aria-hidden className={classNames('size-5 shrink-0 text-muted', isOpen && 'rotate-180')} />
      <span className="min-w-0 grow leading-snug">
        <span className="flex flex-wrap items-center gap-x-2 font-semibold text-navy">
          <span className="inline-block first-letter:uppercase">{name}</span>
          <span className="inline-flex items-center gap-1 text-sm text-muted">
            <Star aria-hidden className="size-4 fill-brass text-brass" />
            {rating} of 5
          </span>
          {sample && (
            <span className="rounded-full bg-shell px-2.5 py-0.5 text-sm font-semibold text-muted">
              Sample
            </span>
          )}
          {errorCount(review) > 0 && (
            <span className="text-red">
              <CircleAlert aria-hidden className="size-4.5" />
              <span className="sr-only">Something is missing or wrong</span>
            </span>
          )}
        </span>
        <span className="block truncate text-[0.9375rem] text-muted">
          {[date && formatShortDate(date), title].filter(Boolean).join(' · ')}
        </span>
      </span>
    </button>
  )
}

const ratings = [5, 4, 3, 2, 1].map(value => ({ value, text: plural(value, 'star') }))

function ReviewFields({ review }: { review: FieldBinding<Review> }) {
  const { applicationId, verified } = review.value
  const sampleField = {
    ...fieldOf(review, 'sample'),
    // Only a sample can be verified without a stay.
    onChange: (next: boolean) =>
      review.onChange({
        ...review.value,
        sample: next,
        verified: verified && (next || applicationId !== null),
      }),
  }
  return (
    <div data-fields className="grid gap-4 border-t border-line p-4 sm:grid-cols-2">
      <LineField field={fieldOf(review, 'name')} />
      <LineField field={fieldOf(review, 'stayed')} hint="As the page says it: in March 2025." />
      <ChoiceField field={fieldOf(review, 'rating')} options={ratings} />
      <DateField field={fieldOf(review, 'date')} />
      <LineField field={fieldOf(review, 'title')} className="sm:col-span-2" />
      <ParagraphsField field={fieldOf(review, 'content')} rows={5} className="sm:col-span-2" />
      <SwitchField field={sampleField} label="Sample" hint="Not by a guest. A live site cannot publish it." />
      <SwitchField
        field={fieldOf(review, 'verified')}
        label="Verified"
        disabled={applicationId === null}
        hint={
          applicationId === null
            ? 'Only for a review that a guest wrote after a completed stay here.'
            : 'The guest’s stay is completed.'
        }
      />
    </div>
  )
}
