import { Trash2 } from 'lucide-react'
import { labelOf } from '../../../../../domain/content/content-label.ts'
import { api } from '../../../../api/api.ts'
import { toastFailure } from '../../../../forms/failure-toast.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Button } from '../../../../ui/button.tsx'
import { BusyButton } from '../../calendars/busy-button.tsx'
import type { LibraryPicture } from '../sections/picture-library.ts'
import { PictureThumbnail } from '../sections/picture-thumbnail.tsx'

type PictureCardProps = {
  picture: LibraryPicture
  /** The position in the grid, if that differs from the position in the list. */
  order: number | undefined
  onRemove: () => void
}

/** A picture with its state and its uses. */
export function PictureCard({ picture, order, onRemove }: PictureCardProps) {
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
