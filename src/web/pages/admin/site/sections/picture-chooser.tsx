import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { plural } from '../../../../../domain/common/plural.ts'
import { labelOf } from '../../../../../domain/content/content-label.ts'
import { api } from '../../../../api/api.ts'
import { RemoveDialog } from '../../../../forms/confirm-action.tsx'
import { toastFailure } from '../../../../forms/failure-toast.ts'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { IconButton } from '../../../../ui/icon-button.tsx'
import { QueryView } from '../../../../ui/query-view.tsx'
import { PictureDrop } from './picture-drop.tsx'
import { type LibraryPicture, PictureThumbnail, usePictureLibrary } from './picture-library.tsx'

type PictureChooserProps = {
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

/** A dialog with all pictures, of which one or several are chosen; pictures can be uploaded and removed, too. */
export function PictureChooser(props: PictureChooserProps) {
  const { chosen: before = [], taken = [], max = 1, onClose, onChoose } = props
  const query = usePictureLibrary()
  const [chosen, setChosen] = useState(before)
  const [removed, setRemoved] = useState<LibraryPicture>()
  const isSingle = max === 1
  const isFull = !isSingle && chosen.length >= max
  const choose = (id: string) => setChosen(now => (isSingle ? [id] : [...now, id]))
  const drop = (id: string) => setChosen(now => now.filter(other => other !== id))
  return (
    <Dialog
      open
      size="xl"
      title={isSingle ? 'Choose a picture' : 'Choose pictures'}
      onOpenChange={open => !open && onClose()}
      footer={
        <>
          {isFull && (
            <p role="status" className="mr-auto self-center text-muted">
              There is no room for more.
            </p>
          )}
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
              ? 'Use picture'
              : chosen.length === 0
                ? 'Add pictures'
                : `Add ${plural(chosen.length, 'picture')}`}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-5">
        <PictureDrop
          label="Upload pictures"
          multiple
          onUploaded={id => {
            if (!taken.includes(id) && !isFull && !chosen.includes(id)) choose(id)
            return undefined
          }}
        />
        <QueryView query={query} loading="Loading pictures..." error="Failed to load pictures">
          {pictures => (
            <ul aria-label="Pictures" className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4">
              {pictures.map(picture => (
                <ChooserEntry
                  key={picture.id}
                  picture={picture}
                  isSingle={isSingle}
                  isTaken={taken.includes(picture.id)}
                  isFull={isFull}
                  isChosen={chosen.includes(picture.id)}
                  onToggle={isChosen => (isChosen ? choose : drop)(picture.id)}
                  onRemove={() => setRemoved(picture)}
                />
              ))}
            </ul>
          )}
        </QueryView>
      </div>
      {removed && (
        <RemovePicture
          picture={removed}
          onRemoved={() => drop(removed.id)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Dialog>
  )
}

type ChooserEntryProps = {
  picture: LibraryPicture
  isSingle: boolean
  isTaken: boolean
  isFull: boolean
  isChosen: boolean
  onToggle: (isChosen: boolean) => void
  onRemove: () => void
}

function ChooserEntry(props: ChooserEntryProps) {
  const { picture, isSingle, isTaken, isFull, isChosen, onToggle, onRemove } = props
  const { fault, name, shipped, state, usedIn } = picture
  const isFailed = state === 'failed'
  const uses = usedIn.map(section => labelOf([section])).join(', ')
  const note = isTaken
    ? 'Already in the gallery'
    : isFailed
      ? (fault ?? 'Failed')
      : uses
        ? `Used in: ${uses}`
        : shipped && 'Included with the site'
  return (
    <li className="relative">
      <label className="block h-full overflow-hidden rounded-control border border-line bg-white has-checked:border-navy has-checked:bg-glass-light has-checked:shadow-[inset_0_0_0_1px_var(--color-navy)] has-focus-visible:outline-2 has-focus-visible:outline-lagoon-dark">
        <PictureThumbnail picture={picture} className={classNames((isTaken || isFailed) && 'opacity-50')} />
        <span className="flex items-start gap-2 p-2.5">
          <input
            type={isSingle ? 'radio' : 'checkbox'}
            name="picture"
            checked={isChosen}
            disabled={isTaken || isFailed || (isFull && !isChosen)}
            onChange={event => onToggle(event.target.checked)}
            className="mt-0.5 size-5 shrink-0 accent-navy"
          />
          <span className="min-w-0 text-[0.9375rem] leading-snug">
            <span className="block truncate">{name}</span>
            {note && <span className="block text-sm text-muted">{note}</span>}
          </span>
        </span>
      </label>
      {isFailed && <RetryButton picture={picture} />}
      {!shipped && !uses && (
        <IconButton
          label={`Remove: ${name}`}
          tone="danger"
          className="absolute top-1.5 right-1.5 bg-white/90 shadow-card"
          onClick={onRemove}
        >
          <Trash2 aria-hidden />
        </IconButton>
      )}
    </li>
  )
}

function RetryButton({ picture: { id, name } }: { picture: LibraryPicture }) {
  const utils = api.useUtils()
  const retry = api.pictures.retry.useMutation({
    onError: error => toastFailure(error, 'Failed to prepare the picture'),
    onSettled: () => utils.pictures.list.invalidate(),
  })
  return (
    <Button
      variant="secondary"
      size="sm"
      className="absolute top-1.5 left-1.5"
      aria-label={`Try Again: ${name}`}
      busy={retry.isPending}
      onClick={() => retry.mutate({ id })}
    >
      Try Again
    </Button>
  )
}

type RemovePictureProps = { picture: LibraryPicture; onRemoved: () => void; onClose: () => void }

function RemovePicture({ picture, onRemoved, onClose }: RemovePictureProps) {
  const utils = api.useUtils()
  const remove = api.pictures.remove.useMutation()
  return (
    <RemoveDialog
      name={picture.name}
      noun="Picture"
      body="It leaves this list. Earlier versions of the site go into the draft without it."
      remove={() => remove.mutateAsync({ id: picture.id })}
      onSuccess={onRemoved}
      onClose={() => {
        void utils.pictures.list.invalidate()
        onClose()
      }}
    />
  )
}
