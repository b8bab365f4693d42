import { FileText, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { FieldNotes, labelClass, useFieldIds } from './field.tsx'
import { ProgressBar } from './progress-bar.tsx'

type FilePickerProps = {
  label: ReactNode
  /** The input's `accept` attribute; the server checks the content. */
  accept?: string
  file: File | null | undefined
  onFile: (file: File | undefined) => void
  /** The upload progress from 0 to 100; undefined if no upload is running. */
  percent?: number | undefined
  error?: string | undefined
  hint?: ReactNode
  /** The label of the button that replaces the chosen file. */
  changeLabel?: string
  disabled?: boolean
  className?: string
}

/** Picks or drops a single file: the native input covers the box and handles both. */
export function FilePicker({
  label,
  accept,
  file,
  onFile,
  percent,
  error,
  hint,
  changeLabel,
  disabled,
  className,
}: FilePickerProps) {
  const ids = useFieldIds(undefined, { error, hint })
  const sending = percent !== undefined
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={ids.id} className={labelClass}>
        {label}
      </label>
      <div
        className={classNames(
          'relative flex min-h-20 flex-wrap items-center gap-x-4 gap-y-2 rounded-control border-2 border-dashed bg-white px-4 py-3 transition-colors has-disabled:border-line has-disabled:bg-shell',
          'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-lagoon-dark',
          error
            ? 'border-red'
            : 'border-line-strong not-has-disabled:hover:border-navy not-has-disabled:hover:bg-shell',
        )}
      >
        {file ? <ChosenFile file={file} changeLabel={changeLabel} /> : <NoFile />}
        <input
          {...ids.control}
          type="file"
          accept={accept}
          disabled={disabled || sending}
          className="absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
          onChange={event => {
            onFile(event.target.files?.[0])
            // So that the same file can be chosen again after it was rejected.
            event.target.value = ''
          }}
        />
      </div>
      {sending && <ProgressBar label={percent < 100 ? 'Uploading' : 'Saving'} percent={percent} />}
      <FieldNotes ids={ids} error={error} hint={hint} />
    </div>
  )
}

function ChosenFile({ file, changeLabel }: { file: File; changeLabel: string | undefined }) {
  return (
    <>
      <FileText aria-hidden className="size-6 shrink-0 text-lagoon-dark" />
      <span className="min-w-0 grow">
        <span className="block font-semibold wrap-anywhere text-navy">{file.name}</span>
        <span className="text-sm text-muted">{formatBytes(file.size)}</span>
      </span>
      {changeLabel && (
        <span className="font-semibold text-navy underline underline-offset-4">{changeLabel}</span>
      )}
    </>
  )
}

function NoFile() {
  return (
    <>
      <Upload aria-hidden className="size-6 shrink-0 text-lagoon-dark" />
      <span>
        <span className="font-semibold text-navy underline underline-offset-4">Choose File</span>
        <span className="text-muted pointer-coarse:hidden"> or drop it here</span>
      </span>
    </>
  )
}

function formatBytes(bytes: number) {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
