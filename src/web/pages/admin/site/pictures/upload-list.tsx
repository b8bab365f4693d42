import { CircleAlert, ImageUp, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { IconButton } from '../../../../ui/icon-button.tsx'
import { ProgressBar } from '../../../../ui/progress-bar.tsx'
import {
  existingText,
  gridOrderOf,
  uploads as queue,
  type Upload,
  type UploadedPicture,
} from './upload-queue.ts'

type UploadListProps = {
  uploads: readonly Upload[]
  /** Uploaded pictures that are not in the list of pictures yet. */
  uploadedPictures: readonly UploadedPicture[]
}

/** Pictures that are being uploaded or have failed, each at the position that the picture will have. */
export function UploadList({ uploads, uploadedPictures }: UploadListProps) {
  if (uploads.length + uploadedPictures.length === 0) return null
  return (
    <ul aria-label="Uploads" className="contents">
      {uploads.map(upload => (
        <Tile key={upload.id} {...upload} actions={<Actions {...upload} />}>
          <Progress name={upload.name} state={upload.state} />
        </Tile>
      ))}
      {uploadedPictures.map(upload => (
        <Tile key={upload.id} {...upload}>
          <Progress name={upload.name} state={{ kind: 'sending', percent: 100 }} />
        </Tile>
      ))}
    </ul>
  )
}

type TileProps = { id: number; name: string; actions?: ReactNode; children: ReactNode }

/** The same size as the picture that will replace it, so that nothing moves. */
function Tile({ id, name, actions, children }: TileProps) {
  return (
    <li
      className="flex min-w-0 flex-col overflow-hidden rounded-control border border-line bg-white"
      style={{ order: gridOrderOf(id) }}
    >
      <span aria-hidden className="grid aspect-3/2 place-items-center bg-linen">
        <ImageUp className="size-7 text-muted" />
      </span>
      <div className="flex min-h-39 grow flex-col gap-1 p-3 text-[0.9375rem]">
        <p className="leading-snug font-semibold wrap-anywhere text-navy">{name}</p>
        {children}
        {actions}
      </div>
    </li>
  )
}

function Progress({ name, state }: { name: string; state: Upload['state'] }) {
  if (state.kind === 'waiting') return <p className="text-muted">Waiting...</p>
  if (state.kind === 'existing') return <p className="text-muted">{existingText}</p>
  if (state.kind === 'failed')
    return (
      <p className="flex min-w-0 gap-1.5 font-semibold text-red">
        <CircleAlert aria-hidden className="mt-1 size-4 shrink-0" />
        {state.error}
      </p>
    )
  if (state.percent === 100) return <p className="text-muted">Checking...</p>
  return <ProgressBar compact label={`Uploading ${name}`} percent={state.percent} className="w-full" />
}

function Actions({ id, name, state }: Upload) {
  if (state.kind !== 'failed' && state.kind !== 'existing') return null
  return (
    <div className="mt-auto flex items-center gap-2 pt-2">
      {state.kind === 'failed' && (
        <Button
          variant="secondary"
          size="sm"
          className="grow"
          aria-label={`Try Again: ${name}`}
          onClick={() => queue.retry(id)}
        >
          Try Again
        </Button>
      )}
      <IconButton
        label={`Remove ${name} from the list`}
        className="ml-auto"
        onClick={() => queue.dismiss(id)}
      >
        <X aria-hidden />
      </IconButton>
    </div>
  )
}
