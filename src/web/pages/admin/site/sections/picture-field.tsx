import { useState } from 'react'
import { Link } from 'wouter'
import { plural } from '../../../../../domain/common/plural.ts'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { FieldNotes, labelClass, RequiredMark, useFieldIds } from '../../../../ui/field.tsx'
import { QueryView } from '../../../../ui/query-view.tsx'
import { LineField } from './bound-fields.tsx'
import { errorOf, type FieldBinding, idOf, isRequiredToPublish, labelOfPath } from './field-binding.ts'
import {
  type LibraryPicture,
  PictureThumbnail,
  useLibraryPicture,
  usePictureLibrary,
} from './picture-library.tsx'

type PictureFieldProps = {
  field: FieldBinding<string | null>
  /** Called when another picture was chosen; by default only the field changes. */
  onChoose?: (id: string) => void
  required?: boolean
  /** Pictures that are already in the gallery. */
  taken?: readonly string[]
}

/** A single picture, chosen in a dialog. */
export function PictureField({
  field,
  onChoose = field.onChange,
  required = isRequiredToPublish(field),
  taken = [],
}: PictureFieldProps) {
  const [choosing, setChoosing] = useState(false)
  const picture = useLibraryPicture(field.value)
  const isGone = field.value !== null && picture === null
  const error = errorOf(field) ?? (isGone ? 'This picture does not exist.' : undefined)
  const ids = useFieldIds(idOf(field), { error })
  const label = labelOfPath(field.path)
  return (
    <fieldset aria-labelledby={`${ids.id}-label`} className="grid min-w-0 gap-1.5">
      <span id={`${ids.id}-label`} className={labelClass}>
        {label}
        {required && <RequiredMark />}
      </span>
      <div className="flex flex-wrap items-center gap-4">
        {field.value !== null && (
          <PictureThumbnail picture={picture} className="w-40 shrink-0 rounded-control" />
        )}
        <div className="grid min-w-0 justify-items-start gap-2">
          {picture && <span className="max-w-full truncate">{picture.name}</span>}
          <Button
            variant="secondary"
            size="sm"
            className="pointer-coarse:min-h-11"
            {...ids.control}
            aria-haspopup="dialog"
            onClick={() => setChoosing(true)}
          >
            {field.value === null ? 'Choose a picture' : 'Choose another'}
          </Button>
        </div>
      </div>
      <FieldNotes ids={ids} error={error} />
      {choosing && (
        <PictureChooser
          title="Choose a Picture"
          taken={taken.filter(id => id !== field.value)}
          chosen={field.value === null ? [] : [field.value]}
          onClose={() => setChoosing(false)}
          onChoose={([id]) => id !== undefined && id !== field.value && onChoose(id)}
        />
      )}
    </fieldset>
  )
}

/** The alternative text of a picture. */
export function AltField({ field }: { field: FieldBinding<string> }) {
  return (
    <LineField
      field={field}
      wraps
      label="Description (alt)"
      hint="What the picture shows, for people who cannot see it."
    />
  )
}

type PictureChooserProps = {
  title: string
  /** The ids of the pictures that are selected when the dialog opens. */
  chosen?: readonly string[]
  /** Pictures that are already in the gallery and cannot be chosen again. */
  taken?: readonly string[]
  /** How many pictures can be selected; if it is 1, a new selection replaces the old one. */
  max?: number
  onClose: () => void
  /** Called with the ids in the order of selection. */
  onChoose: (ids: string[]) => void
}

/** A dialog to choose one or several pictures. */
export function PictureChooser(props: PictureChooserProps) {
  const { title, chosen: before = [], taken = [], max = 1, onClose, onChoose } = props
  const query = usePictureLibrary()
  const [chosen, setChosen] = useState(before)
  const isSingle = max === 1
  const toggle = (id: string) => {
    if (isSingle) setChosen([id])
    else setChosen(chosen.includes(id) ? chosen.filter(other => other !== id) : [...chosen, id])
  }
  return (
    <Dialog
      open
      size="xl"
      title={title}
      description={
        <>
          Upload your own under{' '}
          <Link href="/admin/site/pictures" className="link">
            Pictures
          </Link>
          .
        </>
      }
      onOpenChange={open => !open && onClose()}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={chosen.length === 0}
            onClick={() => {
              onChoose([...chosen])
              onClose()
            }}
          >
            {isSingle
              ? 'Use Picture'
              : chosen.length === 0
                ? 'Add Pictures'
                : `Add ${plural(chosen.length, 'Picture')}`}
          </Button>
        </>
      }
    >
      <QueryView
        query={query}
        loading="Loading pictures..."
        error="Failed to load pictures"
        empty={pictures => pictures.length === 0 && <EmptyState compact title="No pictures yet" />}
      >
        {pictures => (
          <PictureGrid pictures={pictures} chosen={chosen} taken={taken} max={max} onToggle={toggle} />
        )}
      </QueryView>
    </Dialog>
  )
}

type PictureGridProps = {
  pictures: readonly LibraryPicture[]
  chosen: readonly string[]
  taken: readonly string[]
  max: number
  onToggle: (id: string) => void
}

function PictureGrid({ pictures, chosen, taken, max, onToggle }: PictureGridProps) {
  const isSingle = max === 1
  const isFull = !isSingle && chosen.length >= max
  return (
    <>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4">
        {pictures.map(picture => (
          <ChooserEntry
            key={picture.id}
            picture={picture}
            isSingle={isSingle}
            isTaken={taken.includes(picture.id)}
            isFull={isFull}
            isChosen={chosen.includes(picture.id)}
            onToggle={() => onToggle(picture.id)}
          />
        ))}
      </ul>
      {isFull && (
        <p role="status" className="mt-4 text-muted">
          There is room for {plural(max, 'picture')} more.
        </p>
      )}
    </>
  )
}

type ChooserEntryProps = {
  picture: LibraryPicture
  isSingle: boolean
  isTaken: boolean
  isFull: boolean
  isChosen: boolean
  onToggle: () => void
}

function ChooserEntry({ picture, isSingle, isTaken, isFull, isChosen, onToggle }: ChooserEntryProps) {
  const isFailed = picture.state === 'failed'
  const note = isTaken ? 'Already in the gallery' : isFailed ? (picture.fault ?? 'Failed') : undefined
  return (
    <li>
      <label
        className={classNames(
          'block h-full overflow-hidden rounded-control border border-line bg-white has-checked:border-navy has-checked:bg-glass-light has-checked:shadow-[inset_0_0_0_1px_var(--color-navy)]',
          'has-focus-visible:outline-2 has-focus-visible:outline-lagoon-dark',
        )}
      >
        <PictureThumbnail picture={picture} className={classNames((isTaken || isFailed) && 'opacity-50')} />
        <span className="flex items-start gap-2 p-2.5">
          <input
            type={isSingle ? 'radio' : 'checkbox'}
            name="picture"
            checked={isChosen}
            disabled={isTaken || isFailed || (isFull && !isChosen)}
            onChange={onToggle}
            className="mt-0.5 size-5 shrink-0 accent-navy"
          />
          <span className="min-w-0 text-[0.9375rem] leading-snug">
            <span className="block truncate">{picture.name}</span>
            {note && <span className="block text-sm text-muted">{note}</span>}
          </span>
        </span>
      </label>
    </li>
  )
}
