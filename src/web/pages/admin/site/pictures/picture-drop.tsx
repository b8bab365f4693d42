import { ImagePlus } from 'lucide-react'
import { useId } from 'react'
import { uploads } from './uploads.ts'

/** A box to choose or drop pictures: the native input covers the box and handles both. */
export function PictureDrop() {
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
