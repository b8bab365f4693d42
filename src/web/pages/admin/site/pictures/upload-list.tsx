import { CircleAlert, X } from 'lucide-react'
import { Button } from '../../../../ui/button.tsx'
import { IconButton } from '../../../../ui/icon-button.tsx'
import { ProgressBar } from '../../../../ui/progress-bar.tsx'
import { existingText } from './picture-news.ts'
import type { Upload } from './upload-queue.ts'
import { uploads as queue } from './uploads.ts'

/** The pictures that are on their way, and those that did not arrive. */
export function UploadList({ uploads }: { uploads: readonly Upload[] }) {
  if (uploads.length === 0) return null
  return (
    <ul aria-label="Uploads" className="divide-y divide-line rounded-control border border-line">
      {uploads.map(upload => (
        <li key={upload.id} className="flex items-center gap-x-3 px-4 py-2.5">
          <div className="flex min-w-0 grow flex-wrap items-center gap-x-4 gap-y-1">
            <span className="min-w-0 grow basis-48 font-semibold wrap-anywhere text-navy">{upload.name}</span>
            <Progress name={upload.name} state={upload.state} />
          </div>
          <Actions {...upload} />
        </li>
      ))}
    </ul>
  )
}

function Progress({ name, state }: { name: string; state: Upload['state'] }) {
  if (state.kind === 'waiting') return <span className="text-muted">Waiting...</span>
  if (state.kind === 'existing') return <span className="text-muted">{existingText}</span>
  if (state.kind === 'failed')
    return (
      <span className="flex min-w-0 gap-1.5 font-semibold text-red">
        <CircleAlert aria-hidden className="mt-1 size-4 shrink-0" />
        {state.fault}
      </span>
    )
  if (state.percent === 100) return <span className="text-muted">Checking...</span>
  return (
    <ProgressBar compact label={`Uploading ${name}`} percent={state.percent} className="w-full sm:w-56" />
  )
}

function Actions({ id, name, state }: Upload) {
  if (state.kind !== 'failed' && state.kind !== 'existing') return null
  return (
    <span className="flex shrink-0 items-center gap-1">
      {state.kind === 'failed' && (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Try Again: ${name}`}
          onClick={() => queue.retry(id)}
        >
          Try Again
        </Button>
      )}
      <IconButton label={`Take ${name} off the list`} onClick={() => queue.dismiss(id)}>
        <X aria-hidden />
      </IconButton>
    </span>
  )
}
