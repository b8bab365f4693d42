import { ImageOff, ImagePlus, Trash2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { labelOf } from '../../../../domain/content/content-label.ts'
import { maxPictures } from '../../../../domain/content/picture.ts'
import { api } from '../../../api/api.ts'
import { RemoveDialog } from '../../../forms/confirm-action.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Badge } from '../../../ui/badge.tsx'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { UploadList } from './pictures/upload-list.tsx'
import {
  gridOrderOf,
  newAnnouncements,
  type Upload,
  type UploadedPicture,
  uploadAnnouncements,
  uploads,
  useUploads,
} from './pictures/upload-queue.ts'
import { type LibraryPicture, PictureThumbnail, usePictureLibrary } from './sections/picture-library.tsx'

/** The pictures that the owner uploaded, and those that ship with the site. */
export function PicturesTab() {
  const query = usePictureLibrary()
  const { uploadedPictures, uploaded, uploads } = useUploads()
  const utils = api.useUtils()
  useEffect(() => {
    if (uploaded > 0) void utils.media.list.invalidate()
  }, [uploaded, utils])
  return (
    <QueryView query={query} loading="Loading pictures..." error="Failed to load pictures">
      {pictures => <Pictures pictures={pictures} uploads={uploads} uploadedPictures={uploadedPictures} />}
    </QueryView>
  )
}

type PicturesProps = {
  pictures: readonly LibraryPicture[]
  uploads: readonly Upload[]
  uploadedPictures: readonly UploadedPicture[]
}

function Pictures({ pictures, uploads, uploadedPictures }: PicturesProps) {
  const [removed, setRemoved] = useState<LibraryPicture>()
  const own = pictures.filter(({ shipped }) => !shipped)
  const shipped = pictures.filter(picture => picture.shipped)
  return (
    <div className="grid grid-cols-1 gap-6">
      <SetupCard
        title="Your pictures"
        subtitle={`${own.length} of ${maxPictures}. Choose them for a section under Content.`}
      >
        <div className="grid grid-cols-1 gap-6">
          <PictureDrop />
          {own.length + uploads.length + uploadedPictures.length === 0 ? (
            <EmptyState
              compact
              icon={<ImageOff />}
              title="No pictures of your own yet."
              hint="The site shows those that it came with."
            />
          ) : (
            <div className={gridClass}>
              <UploadList
                uploads={uploads}
                uploadedPictures={uploadedPictures.filter(({ pictureId }) =>
                  own.every(({ id }) => id !== pictureId),
                )}
              />
              <ul aria-label="Your pictures" className="contents">
                <Cards pictures={own} uploadedPictures={uploadedPictures} onRemove={setRemoved} />
              </ul>
            </div>
          )}
          <UploadAnnouncer uploads={uploads} pictures={pictures} />
        </div>
      </SetupCard>
      {shipped.length > 0 && (
        <SetupCard title="Included with the site" subtitle="You can use them too. They always stay here.">
          <ul aria-label="Included with the site" className={gridClass}>
            <Cards pictures={shipped} uploadedPictures={[]} onRemove={setRemoved} />
          </ul>
        </SetupCard>
      )}
      {removed && <RemovePicture picture={removed} onClose={() => setRemoved(undefined)} />}
    </div>
  )
}

const gridClass =
  'grid grid-cols-[repeat(auto-fill,minmax(min(9rem,100%),1fr))] gap-3 sm:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] sm:gap-4'

type CardsProps = {
  pictures: readonly LibraryPicture[]
  uploadedPictures: readonly UploadedPicture[]
  onRemove: (picture: LibraryPicture) => void
}

function Cards({ pictures, uploadedPictures, onRemove }: CardsProps) {
  return pictures.map(picture => {
    const upload = uploadedPictures.find(({ pictureId }) => pictureId === picture.id)
    return (
      <PictureCard
        key={picture.id}
        picture={picture}
        order={upload && gridOrderOf(upload.id)}
        onRemove={() => onRemove(picture)}
      />
    )
  })
}

/** Announces to screen readers how uploads and their processing end. */
function UploadAnnouncer({
  pictures,
  uploads,
}: {
  pictures: readonly LibraryPicture[]
  uploads: readonly Upload[]
}) {
  const known = useRef(uploadAnnouncements(uploads, pictures))
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    const current = uploadAnnouncements(uploads, pictures)
    const sentences = newAnnouncements(known.current, current)
    known.current = current
    if (sentences.length > 0) setAnnouncement(sentences.join(' '))
  }, [uploads, pictures])
  return (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  )
}

type PictureCardProps = {
  picture: LibraryPicture
  /** The position in the grid, if that differs from the position in the list. */
  order: number | undefined
  onRemove: () => void
}

/** A picture with its state and its uses. */
function PictureCard({ picture, order, onRemove }: PictureCardProps) {
  const { height, name, shipped, usedIn, width } = picture
  return (
    <li
      className="flex min-w-0 flex-col overflow-hidden rounded-control border border-line bg-white"
      style={{ order }}
    >
      <PictureThumbnail picture={picture} />
      <div className="flex grow flex-col gap-1 p-3 text-[0.9375rem]">
        <p className="leading-snug font-semibold wrap-anywhere text-navy">{name}</p>
        <p className="text-muted tabular-nums">
          {width} × {height}
        </p>
        {usedIn.length > 0 && <p>Used in: {usedIn.map(section => labelOf([section])).join(', ')}</p>}
        {shipped ? (
          <p className="text-muted">Included with the site</p>
        ) : (
          <>
            <State picture={picture} />
            <div className="mt-auto flex flex-wrap gap-2 pt-2 *:grow">
              {picture.state === 'failed' && <RetryButton picture={picture} />}
              <Button variant="secondary" size="sm" aria-label={`Remove: ${name}`} onClick={onRemove}>
                <Trash2 aria-hidden />
                Remove
              </Button>
            </div>
          </>
        )}
      </div>
    </li>
  )
}

function State({ picture: { fault, state, thumbnail } }: { picture: LibraryPicture }) {
  if (state === 'failed') return <p className="font-semibold text-red">{fault}</p>
  // The same height as the final content, so that nothing moves when the picture is ready.
  if (state === 'processing') return <p aria-hidden className="min-h-6" />
  if (thumbnail === null)
    return <p className="text-muted">Not used for 7 days. It is prepared again when you use it.</p>
  return (
    <p>
      <Badge tone="green">Ready</Badge>
    </p>
  )
}

function RetryButton({ picture: { id, name } }: { picture: LibraryPicture }) {
  const utils = api.useUtils()
  const retry = api.media.retry.useMutation({
    onError: error => toastFailure(error, 'Failed to prepare the picture'),
    onSettled: () => utils.media.list.invalidate(),
  })
  return (
    <BusyButton
      variant="secondary"
      size="sm"
      aria-label={`Try Again: ${name}`}
      busy={retry.isPending}
      onClick={() => retry.mutate({ id })}
    >
      Try Again
    </BusyButton>
  )
}

/** A box to choose or drop pictures: the native input covers the box and handles both. */
function PictureDrop() {
  const id = useId()
  return (
    <div className="relative flex min-h-28 flex-wrap items-center justify-center gap-x-4 gap-y-1 rounded-control border-2 border-dashed border-line-strong bg-white px-4 py-5 text-center transition-colors hover:border-navy hover:bg-shell has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-lagoon-dark">
      <ImagePlus aria-hidden className="size-8 shrink-0 text-lagoon-dark" strokeWidth={1.5} />
      <div className="min-w-0">
        <p>
          <label htmlFor={id} className="font-semibold text-navy underline underline-offset-4">
            Choose pictures
          </label>
          <span className="text-muted pointer-coarse:hidden"> or drop them here</span>
        </p>
        <p id={`${id}-hint`} className="text-[0.9375rem] text-muted">
          JPEG, PNG or WebP, up to 20 MB each, at least 800 × 500 pixels.
        </p>
      </div>
      <input
        id={id}
        type="file"
        multiple
        // With this list, phones send a JPEG instead of their own format.
        accept="image/jpeg,image/png,image/webp"
        aria-describedby={`${id}-hint`}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
        onChange={event => {
          uploads.add([...(event.target.files ?? [])])
          // So that the same files can be chosen again.
          event.target.value = ''
        }}
      />
    </div>
  )
}

function RemovePicture({ picture, onClose }: { picture: LibraryPicture; onClose: () => void }) {
  const utils = api.useUtils()
  const remove = api.media.remove.useMutation()
  return (
    <RemoveDialog
      name={picture.name}
      noun="Picture"
      body="It is removed from this list. Earlier versions of the site that show it can only go into the draft without it."
      remove={async () => {
        const { message } = await remove.mutateAsync({ id: picture.id })
        uploads.forget(picture.id)
        return message
      }}
      onSuccess={() => utils.media.list.invalidate()}
      onError={() => void utils.media.list.invalidate()}
      onClose={onClose}
    />
  )
}
