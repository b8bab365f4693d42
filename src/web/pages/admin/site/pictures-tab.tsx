import { ImageOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { maxPictures } from '../../../../domain/content/picture.ts'
import { api } from '../../../api/api.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SetupCard } from '../setup/setup-card.tsx'
import { gridOrderOf } from './pictures/grid-order.ts'
import { PictureCard } from './pictures/picture-card.tsx'
import { PictureDrop } from './pictures/picture-drop.tsx'
import { RemovePicture } from './pictures/remove-picture.tsx'
import { newAnnouncements, uploadAnnouncements } from './pictures/upload-announcements.ts'
import { UploadList } from './pictures/upload-list.tsx'
import type { Upload, UploadedPicture } from './pictures/upload-queue.ts'
import { useUploads } from './pictures/uploads.ts'
import { type LibraryPicture, usePictureLibrary } from './sections/picture-library.ts'

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
        subtitle={`${own.length} of ${maxPictures}. Choose them for a section under Words.`}
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
