import { Upload } from 'lucide-react'

type FileLinkProps = {
  label: string
  /** What can be chosen, for screen readers. */
  hint: string
  accept: string
  disabled: boolean
  multiple?: boolean
  onFiles: (files: File[]) => void
}

/** Chooses files, which are sent at once. */
export function FileLink({ hint, label, onFiles, ...input }: FileLinkProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-2 link has-focus-visible:outline-2">
      <Upload aria-hidden className="size-4.5" />
      {label}
      <span className="sr-only">{hint}</span>
      <input
        {...input}
        type="file"
        className="sr-only"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </label>
  )
}
