import type { ReactNode } from 'react'
import type { FocalPoint, Size } from '../../../../../domain/picture.ts'
import { FieldNotes, labelClass, useFieldIds } from '../../../../ui/field.tsx'
import { cutPosition, describeFocal, focalAfter, focalAt } from './focal-point.ts'
import type { OwnPicture } from './own-pictures.ts'
import { faultOf, idOf, type Part } from './section-part.ts'

type FocalPointFieldProps = { part: Part<FocalPoint>; picture: OwnPicture }

/** The point that every cut keeps in view, set by a press on the picture or by arrow keys; beside it the cuts. */
export function FocalPointField({ part, picture }: FocalPointFieldProps) {
  const focal = part.value
  const error = faultOf(part)
  const hint = `Press what must stay in view, or use the arrow keys. Now ${describeFocal(focal)}.`
  const ids = useFieldIds(idOf(part), { error, hint })
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
        onClick={event => part.onChange(focalAt(event, event.currentTarget.getBoundingClientRect()))}
        onKeyDown={event => {
          const moved = focalAfter(event.key, focal)
          if (!moved) return
          event.preventDefault()
          part.onChange(moved)
        }}
        onBlur={part.onLeave}
        className="relative w-full max-w-xl cursor-crosshair overflow-hidden rounded-control"
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
      <div className="mt-2 flex flex-wrap items-end gap-4">
        <Cut picture={picture} focal={focal} ratio={{ width: 16, height: 9 }} className="w-56">
          Wide window
        </Cut>
        <Cut picture={picture} focal={focal} ratio={{ width: 32, height: 45 }} className="w-24">
          Phone
        </Cut>
        <Cut picture={picture} focal={focal} ratio={{ width: 1200, height: 630 }} className="w-56">
          Shared link
        </Cut>
      </div>
      {picture.shipped && (
        <p className="text-[0.9375rem] text-muted">
          The picture that came with the site has cuts of its own for phones and shared links.
        </p>
      )}
    </div>
  )
}

type CutProps = {
  picture: OwnPicture
  focal: FocalPoint
  ratio: Size
  className: string
  children: ReactNode
}

function Cut({ picture, focal, ratio, className, children }: CutProps) {
  return (
    <figure className={className}>
      <span
        className="relative block overflow-hidden rounded-control border border-line"
        style={{ aspectRatio: `${ratio.width} / ${ratio.height}` }}
      >
        <PreviewImage picture={picture} position={cutPosition(picture, ratio, focal)} />
      </span>
      <figcaption className="mt-1 text-sm text-muted">{children}</figcaption>
    </figure>
  )
}

function PreviewImage({ picture, position }: { picture: OwnPicture; position?: string }) {
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
