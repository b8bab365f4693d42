import { ImageIcon, LoaderCircle, Trash2 } from 'lucide-react'
import { labelOf } from '../../../../../domain/content-text.ts'
import { api } from '../../../../api/api.ts'
import { toastFailure } from '../../../../forms/failure-toast.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Button } from '../../../../ui/button.tsx'
import { BusyButton } from '../../calendars/busy-button.tsx'
import type { Picture } from './picture-news.ts'

/** A picture with its state and where it is used. */
export function PictureCard({ picture, onRemove }: { picture: Picture; onRemove: () => void }) {
  const { height, name, shipped, usedIn, width } = picture
  return (
    <li className="flex min-w-0 flex-col overflow-hidden rounded-control border border-line bg-white">
      <Thumbnail picture={picture} />
      <div className="flex grow flex-col gap-1 p-3 text-[0.9375rem]">
        <p className="leading-snug font-semibold wrap-anywhere text-navy">{name}</p>
        <p className="text-muted tabular-nums">
          {width} × {height}
        </p>
        {usedIn.length > 0 && <p>Used in: {usedIn.map(section => labelOf([section])).join(', ')}</p>}
        {shipped ? (
          <p className="text-muted">Came with the site</p>
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

function Thumbnail({ picture: { height, placeholder, thumbnail, width } }: { picture: Picture }) {
  const background = placeholder ? { backgroundImage: `url("${placeholder}")` } : undefined
  return (
    <div
      className="flex aspect-4/3 items-center justify-center bg-shell bg-cover bg-center"
      style={background}
    >
      {thumbnail ? (
        <img
          src={thumbnail}
          // The name stands beside it.
          alt=""
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
        />
      ) : (
        !placeholder && <ImageIcon aria-hidden className="size-8 text-muted" strokeWidth={1.5} />
      )}
    </div>
  )
}

function State({ picture: { fault, state } }: { picture: Picture }) {
  if (state === 'processing')
    return (
      <p className="flex items-center gap-1.5 text-muted">
        <LoaderCircle aria-hidden className="size-4 animate-spin text-lagoon" />
        Preparing...
      </p>
    )
  if (state === 'failed') return <p className="font-semibold text-red">{fault}</p>
  return (
    <p>
      <Badge tone="green">Ready</Badge>
    </p>
  )
}

function RetryButton({ picture: { id, name } }: { picture: Picture }) {
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
