import type { ReactNode } from 'react'
import {
  type CutName,
  cropAround,
  cutPlansOf,
  type FocalPoint,
  type Size,
} from '../../../../../domain/content/picture.ts'
import { FieldNotes, labelClass, useFieldIds } from '../../../../ui/field.tsx'
import { errorOf, type FieldBinding, idOf, labelOfPath } from './field-binding.ts'
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
        {labelOfPath(field.path)}
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

const step = 0.05

/** Rounds to the nearest step within the picture. */
const toStep = (share: number) => Math.min(Math.max(Math.round(share / step) / 20, 0), 1)

/** The clicked point, as fractions of the picture's box. */
export function focalAt(
  press: { clientX: number; clientY: number },
  box: { left: number; top: number; width: number; height: number },
): FocalPoint {
  return {
    x: toStep((press.clientX - box.left) / box.width),
    y: toStep((press.clientY - box.top) / box.height),
  }
}

const moves: Record<string, FocalPoint> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Moves the focal point one step for an arrow key; undefined for other keys. */
export function focalAfter(key: string, { x, y }: FocalPoint): FocalPoint | undefined {
  const move = moves[key]
  return move && { x: toStep(x + move.x * step), y: toStep(y + move.y * step) }
}

/** `30% from the left, 0% from the top` */
export function describeFocal({ x, y }: FocalPoint): string {
  const percent = (share: number) => `${Math.round(share * 100)}%`
  return `${percent(x)} from the left, ${percent(y)} from the top`
}

/** The `object-position` that makes a box of this aspect ratio show the same part as the generated crop. */
export function cropPosition(picture: Size, ratio: Size, focal: FocalPoint): string {
  const cut = cropAround(picture, ratio, focal)
  const share = (start: number, free: number) => (free === 0 ? 50 : (start / free) * 100)
  return `${share(cut.left, picture.width - cut.width)}% ${share(cut.top, picture.height - cut.height)}%`
}

/** The `object-position` of a wide window, which shows as much of the whole picture as it can. */
const windowPosition = ({ x, y }: FocalPoint): string => `${Math.round(x * 100)}% ${Math.round(y * 100)}%`

/** The aspect ratio of a crop that is made around the focal point. */
export function aspectRatioOf(kind: 'hero' | 'social', cut: CutName): Size {
  const plan = cutPlansOf({ kind, focal: { x: 0, y: 0 } }).find(each => each.cut === cut)
  if (!plan?.ratio) throw new Error(`${kind} has no cut ${cut}`)
  return plan.ratio
}
