import type { ReactNode } from 'react'
import type { FocalPoint, Size } from '../../../../../domain/content/picture.ts'
import { FieldNotes, labelClass, useFieldIds } from '../../../../ui/field.tsx'
import { errorOf, type FieldBinding, idOf } from './field-binding.ts'
import {
  aspectRatioOf,
  cropPosition,
  describeFocal,
  focalAfter,
  focalAt,
  windowPosition,
} from './focal-point.ts'
import type { LibraryPicture } from './picture-library.tsx'

type FocalPointFieldProps = { field: FieldBinding<FocalPoint>; picture: LibraryPicture }

/**
 * Sets the focal point, which every crop keeps in view, by a click on the picture or by arrow keys. Shows the crops
 * next to it.
 */
export function FocalPointField({ field, picture }: FocalPointFieldProps) {
  const focal = field.value
  const error = errorOf(field)
  const hint = `Press the part that must stay in view, or use the arrow keys. Now ${describeFocal(focal)}.`
  const ids = useFieldIds(idOf(field), { error, hint })
  return (
    <div className="grid gap-1.5">
      <span id={`${ids.id}-label`} className={labelClass}>
        Focal point
      </span>
      <div
        {...ids.control}
        role="slider"
        tabIndex={0}
        aria-labelledby={`${ids.id}-label`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(focal.x * 100)}
        aria-valuetext={describeFocal(focal)}
        onClick={event => field.onChange(focalAt(event, event.currentTarget.getBoundingClientRect()))}
        onKeyDown={event => {
          const moved = focalAfter(event.key, focal)
          if (!moved) return
          event.preventDefault()
          field.onChange(moved)
        }}
        onBlur={field.onLeave}
        className="relative my-2 w-full max-w-xl cursor-crosshair rounded-control"
        style={{ aspectRatio: `${picture.width} / ${picture.height}` }}
      >
        <PreviewImage picture={picture} />
        <span
          aria-hidden
          className="absolute size-8 -translate-1/2 rounded-full border-2 border-white bg-navy/30 shadow-overlay outline-2 outline-navy"
          style={{ left: `${focal.x * 100}%`, top: `${focal.y * 100}%` }}
        />
      </div>
      <FieldNotes ids={ids} error={error} hint={hint} />
      <div className="mt-2 flex max-w-xl items-end gap-3">
        <Cut picture={picture} ratio={windowRatio} position={windowPosition(focal)} className="flex-5">
          Wide window
        </Cut>
        {cuts.map(({ className, name, ratio }) => (
          <Cut
            key={name}
            picture={picture}
            ratio={ratio}
            position={cropPosition(picture, ratio, focal)}
            className={className}
          >
            {name}
          </Cut>
        ))}
      </div>
    </div>
  )
}

const windowRatio = { width: 16, height: 9 }
const cuts = [
  { name: 'Phone', ratio: aspectRatioOf('hero', 'phone'), className: 'flex-2' },
  { name: 'Shared link', ratio: aspectRatioOf('social', 'social'), className: 'flex-5' },
]

type CutProps = {
  picture: LibraryPicture
  ratio: Size
  position: string
  className: string
  children: ReactNode
}

function Cut({ picture, ratio, position, className, children }: CutProps) {
  return (
    <figure className={className}>
      <span
        className="relative block overflow-hidden rounded-control border border-line"
        style={{ aspectRatio: `${ratio.width} / ${ratio.height}` }}
      >
        <PreviewImage picture={picture} position={position} />
      </span>
      <figcaption className="mt-1 text-sm text-muted">{children}</figcaption>
    </figure>
  )
}

function PreviewImage({ picture, position }: { picture: LibraryPicture; position?: string }) {
  const placeholder = picture.placeholder ? `url("${picture.placeholder}")` : undefined
  return (
    <img
      src={picture.thumbnail ?? picture.placeholder ?? undefined}
      alt=""
      draggable={false}
      className="absolute inset-0 size-full bg-cover object-cover"
      style={{ objectPosition: position, backgroundImage: placeholder, backgroundPosition: position }}
    />
  )
}
