import { CircleAlert } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { SiteContent } from '../../../../../domain/content/content.ts'
import { contentMessages } from '../../../../../domain/content/content-text.ts'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { AltField, LineField } from './bound-fields.tsx'
import { EntryActions, ListFrame } from './entry-list.tsx'
import {
  entryOf,
  errorCount,
  type FieldBinding,
  fieldOf,
  focusField,
  idOf,
  type SectionBinding,
} from './field-binding.ts'
import { PictureChooser } from './lazy-picture-chooser.tsx'
import { PictureDrop } from './picture-drop.tsx'
import { PictureField } from './picture-field.tsx'
import { PictureThumbnail, useLibraryPicture } from './picture-library.tsx'
import { SortableEntries, SortableEntry } from './sortable-entries.tsx'
import { type Entries, useEntries } from './use-entries.ts'

type GalleryPicture = SiteContent['gallery']['pictures'][number]

export function GalleryForm(root: SectionBinding<'gallery'>) {
  return (
    <>
      <LineField field={fieldOf(root, 'title')} />
      <GalleryPictures field={fieldOf(root, 'pictures')} />
    </>
  )
}

/** A grid of all pictures that can be reordered; a click on a picture shows its texts below. */
function GalleryPictures({ field }: { field: FieldBinding<GalleryPicture[]> }) {
  const [choosing, setChoosing] = useState(false)
  const [openKey, setOpenKey] = useState<string>()
  const entries = useEntries({ field, noun: 'picture', nameOf: ({ caption }) => caption })
  const { add, count, keys, max } = entries
  const taken = field.value.flatMap(({ picture }) => picture ?? [])
  const open = openKey === undefined ? -1 : keys.indexOf(openKey)
  const addPictures = (...ids: string[]) => add(...ids.map(picture => ({ picture, caption: '', alt: '' })))
  const addUploaded = (id: string) => {
    if (taken.includes(id)) return contentMessages.alreadyInGallery
    if (count >= max) return `The gallery can have at most ${max} pictures.`
    const [key] = addPictures(id)
    // Its words come next, unless somebody is typing elsewhere by now.
    const { activeElement } = document
    const isFree = activeElement === document.body || entries.root.current?.contains(activeElement)
    if (open < 0 && isFree) setOpenKey(key)
    return undefined
  }
  const openNext = (index: number) => {
    setOpenKey(keys[index])
    // After the texts are rendered.
    requestAnimationFrame(() => focusField('gallery', `pictures.${index}.caption`))
  }
  return (
    <ListFrame
      field={field}
      entries={entries}
      nouns="pictures"
      hint="The first is large. Select one to describe it."
      addLabel="Choose from your pictures"
      onAdd={() => setChoosing(true)}
    >
      <PictureDrop label="Add pictures" multiple onUploaded={addUploaded} />
      <GalleryTiles field={field} entries={entries} openKey={openKey} onOpen={setOpenKey} />
      {open >= 0 && (
        <PictureWords
          taken={taken}
          key={openKey}
          entryKey={openKey}
          entry={entryOf(field, open)}
          entries={entries}
          index={open}
          onClose={() => setOpenKey(undefined)}
          onNext={open + 1 < count ? () => openNext(open + 1) : undefined}
        />
      )}
      {choosing && (
        <PictureChooser
          taken={taken}
          max={max - count}
          onClose={() => setChoosing(false)}
          onChoose={ids => addPictures(...ids)}
        />
      )}
    </ListFrame>
  )
}

type GalleryTilesProps = {
  field: FieldBinding<GalleryPicture[]>
  entries: Entries<GalleryPicture>
  openKey: string | undefined
  onOpen: (key: string | undefined) => void
}

function GalleryTiles({ field, entries, openKey, onOpen }: GalleryTilesProps) {
  const { keys, nameAt } = entries
  return (
    <SortableEntries entries={entries} grid>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 md:grid-cols-4 lg:grid-cols-6">
        {keys.map((key, index) => (
          <SortableEntry
            key={key}
            id={key}
            name={nameAt(index)}
            className="min-w-0"
            handleClass="absolute top-1.5 left-1.5 bg-white/90 shadow-card"
          >
            {handle => (
              <GalleryTile
                entry={entryOf(field, index)}
                index={index}
                name={nameAt(index)}
                handle={handle}
                isOpen={key === openKey}
                onToggle={() => onOpen(key === openKey ? undefined : key)}
              />
            )}
          </SortableEntry>
        ))}
      </ul>
    </SortableEntries>
  )
}

type GalleryTileProps = {
  entry: FieldBinding<GalleryPicture>
  index: number
  name: string
  handle: ReactNode
  isOpen: boolean
  onToggle: () => void
}

function GalleryTile({ entry, index, name, handle, isOpen, onToggle }: GalleryTileProps) {
  const picture = useLibraryPicture(entry.value.picture)
  const errors = errorCount(entry)
  return (
    <div
      className={classNames(
        'relative h-full overflow-hidden rounded-control border bg-white',
        isOpen ? 'border-navy shadow-[inset_0_0_0_1px_var(--color-navy)]' : 'border-line',
      )}
    >
      <button
        type="button"
        id={idOf(entry)}
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex size-full flex-col text-left focus-visible:-outline-offset-2"
      >
        <PictureThumbnail picture={picture} className="w-full" />
        <span className="flex w-full items-start gap-1.5 p-2 text-sm leading-snug">
          <span className="text-muted tabular-nums">{index + 1}</span>
          <span className="line-clamp-2 min-w-0 first-letter:uppercase">{name}</span>
          {errors > 0 && (
            <span className="ml-auto text-red">
              <CircleAlert aria-hidden className="size-4.5" />
              <span className="sr-only">Something is missing or wrong</span>
            </span>
          )}
        </span>
      </button>
      {handle}
    </div>
  )
}

type PictureWordsProps = {
  taken: readonly string[]
  entry: FieldBinding<GalleryPicture>
  entryKey: string | undefined
  entries: Entries<GalleryPicture>
  index: number
  onClose: () => void
  /** Moves on to the texts of the next picture; undefined for the last picture. */
  onNext: (() => void) | undefined
}

/** The texts of the selected picture; Escape returns to the picture. */
function PictureWords({ entry, entryKey, entries, index, onClose, onNext, taken }: PictureWordsProps) {
  const fields = useRef<HTMLFieldSetElement>(null)
  // All other pictures are in between, both for the keyboard and on a phone.
  useEffect(() => {
    fields.current?.focus({ preventScroll: true })
    fields.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const onKeyDown = ({ currentTarget, key, target }: KeyboardEvent) => {
    // A dialog that is open above the texts handles Escape itself.
    if (key !== 'Escape' || !(target instanceof Node) || !currentTarget.contains(target)) return
    onClose()
    document.getElementById(idOf(entry))?.focus()
  }
  return (
    <fieldset
      ref={fields}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      data-entry={entryKey}
      className="grid gap-4 rounded-control border border-line bg-canvas p-4"
    >
      <legend className="sr-only">Picture {index + 1}</legend>
      <div className="flex items-center justify-between gap-3">
        <span aria-hidden className="font-semibold text-navy">
          Picture {index + 1}
        </span>
        <EntryActions entries={entries} index={index} />
      </div>
      <PictureField
        field={fieldOf(entry, 'picture')}
        taken={taken}
        // The description was for the previous picture.
        onChoose={id => entry.onChange({ ...entry.value, picture: id, alt: '' })}
      />
      <LineField field={fieldOf(entry, 'caption')} wraps />
      <AltField field={fieldOf(entry, 'alt')} />
      {onNext && (
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-start pointer-coarse:min-h-11"
          onClick={onNext}
        >
          Next picture
        </Button>
      )}
    </fieldset>
  )
}
