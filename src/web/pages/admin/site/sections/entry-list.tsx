import { ArrowDown, ArrowUp, ChevronRight, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { FieldNotes, labelClass } from '../../../../ui/field.tsx'
import { IconButton } from '../../../../ui/icon-button.tsx'
import { formatCount } from './bound-fields.tsx'
import {
  entryOf,
  errorCount,
  errorOf,
  type FieldBinding,
  type FieldLocation,
  idOf,
  labelOfPath,
} from './field-binding.ts'
import { SortableEntries, SortableEntry } from './sortable-entries.tsx'
import { type Entries, useEntries } from './use-entries.ts'

type EntryListProps<Entry> = {
  field: FieldBinding<Entry[]>
  label?: ReactNode
  /** `fact` and `facts`. */
  noun: string
  nouns: string
  hint?: ReactNode
  /** A short name of the entry; empty if it has no text yet. */
  nameOf: (entry: Entry) => string
  /** A new entry. */
  blank: NoInfer<Entry>
  /** Shows each entry as a card with a header; otherwise as a row. */
  cards?: boolean
  /** Cards with a name are folded at first. */
  folds?: boolean
  children: (entry: FieldBinding<Entry>, index: number) => ReactNode
}

/** A list of entries that can be added, removed and reordered. */
export function EntryList<Entry>(props: EntryListProps<Entry>) {
  const { field, noun, nouns, nameOf, blank, cards = false, folds = false, children } = props
  const entries = useEntries({ field, noun, nameOf })
  const { keys, nameAt } = entries
  return (
    <ListFrame {...props} entries={entries} onAdd={() => entries.add(blank)} addLabel={`Add ${noun}`}>
      {keys.length === 0 ? (
        <p className="text-muted">No {nouns} yet.</p>
      ) : (
        <SortableEntries entries={entries}>
          <ul className={cards ? 'grid gap-4' : 'grid gap-2'}>
            {keys.map((key, index) => (
              <SortableEntry
                key={key}
                id={key}
                name={nameAt(index)}
                className={cards ? 'rounded-control border border-line bg-canvas' : 'rounded-control'}
              >
                {handle =>
                  cards ? (
                    <CardEntry
                      entries={entries}
                      index={index}
                      handle={handle}
                      isFolded={folds && nameOf(entryOf(field, index).value).trim() !== ''}
                      hasErrors={errorCount(entryOf(field, index)) > 0}
                    >
                      {children(entryOf(field, index), index)}
                    </CardEntry>
                  ) : (
                    <fieldset
                      aria-label={nameAt(index)}
                      className="flex min-w-0 flex-wrap items-start sm:flex-nowrap"
                    >
                      {handle}
                      <div data-fields className="flex min-w-0 grow basis-0 items-start gap-2">
                        {children(entryOf(field, index), index)}
                      </div>
                      <EntryActions entries={entries} index={index} className="max-sm:w-full" />
                    </fieldset>
                  )
                }
              </SortableEntry>
            ))}
          </ul>
        </SortableEntries>
      )}
    </ListFrame>
  )
}

type CardEntryProps<Entry> = {
  entries: Entries<Entry>
  index: number
  handle: ReactNode
  /** Whether its fields are folded at first. */
  isFolded: boolean
  hasErrors: boolean
  children: ReactNode
}

function CardEntry<Entry>({ entries, index, handle, children, ...card }: CardEntryProps<Entry>) {
  const [canFold] = useState(card.isFolded)
  const [isOpen, setOpen] = useState(!canFold)
  const name = entries.nameAt(index)
  const nameClass = 'min-w-0 grow truncate text-left font-semibold text-navy first-letter:uppercase'
  return (
    <>
      <div className="flex items-center">
        {handle}
        {canFold ? (
          <button
            type="button"
            aria-expanded={isOpen}
            className="group flex min-h-11 min-w-0 grow items-center gap-2"
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronRight
              aria-hidden
              className="size-5 shrink-0 text-muted transition-transform group-aria-expanded:rotate-90"
            />
            <span className={nameClass}>{name}</span>
          </button>
        ) : (
          <span className={nameClass}>{name}</span>
        )}
        <EntryActions entries={entries} index={index} />
      </div>
      <fieldset
        aria-label={name}
        data-fields
        hidden={!isOpen && !card.hasErrors}
        className="grid min-w-0 gap-4 border-t border-line p-4"
      >
        {children}
      </fieldset>
    </>
  )
}

type ListFrameProps<Entry> = {
  field: FieldLocation
  entries: Entries<Entry>
  label?: ReactNode
  nouns: string
  hint?: ReactNode
  addLabel: string
  onAdd: () => void
  children: ReactNode
}

/** The frame of a list: its name, its error, the Add button with the count, and the live region. */
export function ListFrame<Entry>(props: ListFrameProps<Entry>) {
  const { field, entries, label = labelOfPath(field.path), nouns, hint, addLabel, onAdd, children } = props
  const { announcement, count, max, root } = entries
  const ids = useListIds(field)
  const isFull = count >= max
  return (
    <fieldset ref={root} aria-labelledby={ids.label} className="grid min-w-0 gap-2">
      <span id={ids.label} className={labelClass}>
        {label}
      </span>
      <FieldNotes ids={ids} error={errorOf(field)} hint={hint} />
      {children}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Button
          id={idOf(field)}
          variant="secondary"
          size="sm"
          className="pointer-coarse:min-h-11"
          data-target="add"
          aria-disabled={isFull}
          aria-describedby={[errorOf(field) && ids.errorId, isFull && ids.full].filter(Boolean).join(' ')}
          onClick={() => !isFull && onAdd()}
        >
          <Plus aria-hidden />
          {addLabel}
        </Button>
        {isFull ? (
          <span id={ids.full} className="text-[0.9375rem] text-muted">
            The limit is {max} {nouns}. Remove one first.
          </span>
        ) : (
          <span className="text-sm text-muted tabular-nums">{formatCount(count, max)}</span>
        )}
      </div>
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </fieldset>
  )
}

function useListIds(field: FieldLocation) {
  const [own, base] = [useId(), idOf(field)]
  return { label: `${own}-label`, full: `${own}-full`, hintId: `${base}-hint`, errorId: `${base}-error` }
}

type EntryActionsProps<Entry> = {
  entries: Entries<Entry>
  index: number
  className?: string
}

/** The Earlier, Later and Remove buttons of an entry. */
export function EntryActions<Entry>({ entries, index, className }: EntryActionsProps<Entry>) {
  const { count, move, nameAt, remove } = entries
  const name = nameAt(index)
  return (
    <div className={classNames('flex shrink-0 justify-end', className)}>
      <IconButton
        label={`Earlier: ${name}`}
        data-target="earlier"
        disabled={index === 0}
        className="pointer-coarse:size-11"
        onClick={() => move(index, index - 1, 'earlier')}
      >
        <ArrowUp aria-hidden />
      </IconButton>
      <IconButton
        label={`Later: ${name}`}
        data-target="later"
        disabled={index === count - 1}
        className="pointer-coarse:size-11"
        onClick={() => move(index, index + 1, 'later')}
      >
        <ArrowDown aria-hidden />
      </IconButton>
      <IconButton
        label={`Remove: ${name}`}
        tone="danger"
        className="pointer-coarse:size-11"
        onClick={() => remove(index)}
      >
        <Trash2 aria-hidden />
      </IconButton>
    </div>
  )
}
