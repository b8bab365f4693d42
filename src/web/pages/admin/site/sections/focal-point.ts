import {
  type CutName,
  cropAround,
  cutPlansOf,
  type FocalPoint,
  type Size,
} from '../../../../../domain/content/picture.ts'

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
export const windowPosition = ({ x, y }: FocalPoint): string =>
  `${Math.round(x * 100)}% ${Math.round(y * 100)}%`

/** The aspect ratio of a crop that is made around the focal point. */
export function aspectRatioOf(kind: 'hero' | 'social', cut: CutName): Size {
  const plan = cutPlansOf({ kind, focal: { x: 0, y: 0 } }).find(each => each.cut === cut)
  if (!plan?.ratio) throw new Error(`${kind} has no cut ${cut}`)
  return plan.ratio
}
