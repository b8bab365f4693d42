import { ImagePlus, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { maxPictureBytes, pictureMessages } from '../../../../../domain/content/picture.ts'
import { api, newId } from '../../../../api/api.ts'
import { refusalOr } from '../../../../api/failures.ts'
import { sendForm } from '../../../../api/files.ts'
import { useLeaveQuestion } from '../../../../forms/use-leave-question.ts'
import { Button } from '../../../../ui/button.tsx'
import { IconButton } from '../../../../ui/icon-button.tsx'
import { ProgressBar } from '../../../../ui/progress-bar.tsx'

type Upload = { id: string; file: File; percent: number; error?: string | undefined }

type PictureDropProps = {
  /** `Add pictures` */
  label: string
  multiple?: boolean
  /** Takes an uploaded picture, also one that the site had already; returns why it cannot be used. */
  onUploaded: (pictureId: string) => string | undefined
}

/** A box to choose or drop pictures, which are uploaded one after another: the native input covers it and handles both. */
export function PictureDrop({ label, multiple = false, onUploaded }: PictureDropProps) {
  const id = useId()
  const { start, ...list } = useUploads(onUploaded)
  return (
    <div className="grid min-w-0 gap-2">
      <div className="relative flex min-h-20 items-center gap-4 rounded-control border-2 border-dashed border-line-strong bg-white px-4 py-3 transition-colors hover:border-navy hover:bg-shell has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-lagoon-dark">
        <ImagePlus aria-hidden className="size-7 shrink-0 text-lagoon-dark" strokeWidth={1.5} />
        <div className="min-w-0 leading-snug">
          <p>
            <label htmlFor={id} className="font-semibold text-navy underline underline-offset-4">
              {label}
            </label>
            <span className="text-muted pointer-coarse:hidden"> or drop {multiple ? 'them' : 'it'} here</span>
          </p>
          <p id={`${id}-hint`} className="text-sm text-muted">
            JPEG, PNG or WebP, up to 20 MB, at least 800 × 500 pixels.
          </p>
        </div>
        <input
          id={id}
          type="file"
          multiple={multiple}
          // With this list, phones send a JPEG instead of their own format.
          accept="image/jpeg,image/png,image/webp"
          aria-describedby={`${id}-hint`}
          className="absolute inset-0 size-full cursor-pointer opacity-0"
          onChange={({ target }) => {
            for (const file of target.files ?? []) start({ id: newId(), file, percent: 0 })
            // So that the same files can be chosen again.
            target.value = ''
          }}
        />
      </div>
      <UploadList {...list} onRetry={start} />
    </div>
  )
}

/** Uploads pictures one at a time, also while the form around the box changes. */
function useUploads(onUploaded: PictureDropProps['onUploaded']) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const { list } = api.useUtils().pictures
  const queue = useRef(Promise.resolve())
  const take = useRef(onUploaded)
  useEffect(() => {
    take.current = onUploaded
  })
  useLeaveQuestion(uploads.some(({ error }) => error === undefined))

  const remove = (id: string) => setUploads(now => now.filter(upload => upload.id !== id))
  const show = (upload: Upload) =>
    setUploads(now =>
      now.some(({ id }) => id === upload.id)
        ? now.map(each => (each.id === upload.id ? upload : each))
        : [...now, upload],
    )
  const send = async (upload: Upload) => {
    try {
      const id = await sendPicture(upload.file, percent => show({ ...upload, percent }))
      // The picture is in the list when the form shows it.
      await list.invalidate()
      const error = take.current(id)
      if (error) show({ ...upload, error })
      else remove(upload.id)
    } catch (error) {
      show({ ...upload, error: refusalOr(error, 'The upload failed. Check your connection and try again.') })
    }
  }
  const start = ({ file, id }: Upload) => {
    const upload = { file, id, percent: 0 }
    if (file.size > maxPictureBytes) return show({ ...upload, error: pictureMessages.fileTooLarge })
    show(upload)
    queue.current = queue.current.then(() => send(upload))
  }
  return { uploads, start, remove }
}

async function sendPicture(file: File, onPercent: (percent: number) => void): Promise<string> {
  const form = new FormData()
  form.append('picture', file)
  const { body } = await sendForm('/api/picture/admin', form, onPercent)
  return (body as { picture: { id: string } }).picture.id
}

type UploadListProps = {
  uploads: readonly Upload[]
  remove: (id: string) => void
  onRetry: (upload: Upload) => void
}

function UploadList({ uploads, remove, onRetry }: UploadListProps) {
  if (uploads.length === 0) return null
  return (
    <ul aria-label="Uploads" className="grid gap-2 text-[0.9375rem]">
      {uploads.map(upload => {
        const { error, file, id, percent } = upload
        return (
          <li key={id} className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1">
            <span className="min-w-0 truncate font-semibold text-navy">{file.name}</span>
            {error === undefined ? (
              <ProgressBar
                compact
                label={`Uploading ${file.name}`}
                percent={percent}
                className="min-w-40 grow"
              />
            ) : (
              <>
                <span role="alert" className="min-w-0 grow font-semibold text-red">
                  {error}
                </span>
                <Button
                  variant="secondary"
                  size="sm"
                  aria-label={`Try Again: ${file.name}`}
                  onClick={() => onRetry(upload)}
                >
                  Try Again
                </Button>
                <IconButton label={`Remove ${file.name} from the list`} onClick={() => remove(id)}>
                  <X aria-hidden />
                </IconButton>
              </>
            )}
          </li>
        )
      })}
    </ul>
  )
}
