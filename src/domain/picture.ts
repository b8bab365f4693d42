/** Sentences about pictures that the owner uploads. */
export const pictureMessages = {
  fileMissing: 'Please choose a picture.',
  typeWrong: 'Please upload a JPEG, PNG or WebP picture.',
  heic: 'HEIC pictures cannot be used. On the iPhone choose Settings, Camera, Formats, Most Compatible, or send a JPEG.',
  fileTooLarge: 'A picture can be at most 20 MB.',
  tooManyPixels:
    'This picture has too many pixels. A JPEG can have 52 megapixels; a progressive one, a PNG or a WebP 12.',
  tooSmall: 'A picture needs at least 800 × 500 pixels.',
  tooNarrow: 'This picture is too long and narrow.',
  unreadable: 'This picture could not be read. It may be damaged.',
  notPrepared: 'This picture could not be prepared.',
  chooseAnother: 'This picture could not be prepared. Choose another.',
  stillPreparing: 'A picture is still being prepared. Try again in a minute.',
  notFailed: 'This picture did not fail.',
  shipped: 'This picture came with the site and cannot be removed.',
  removed: 'Picture removed',
  inUse: (labels: readonly string[]) => `This picture is in use: ${labels.join(', ')}.`,
  tooManyPictures: 'You already have 100 pictures. Please remove one first.',
  tooManyUploads: 'Too many uploads right now. Please try again in a minute.',
} as const

/** Largest picture that is taken, in bytes of its file. */
export const maxPictureBytes = 20_971_520
export const maxPictures = 100
export const maxConcurrentPictures = 3
/** Pixels of a JPEG that is shrunk while it is read, and of all that must be read as a whole. */
export const maxBaselinePixels = 52_000_000
export const maxOtherPixels = 12_000_000
const minLongerSide = 800
const minShorterSide = 500
const maxSideRatio = 4
/** Length of a placeholder as a data address. */
export const maxPlaceholderLength = 600

/** What an original may be. */
export type PictureFormat = 'jpeg' | 'png' | 'webp'

export type Size = { width: number; height: number }
/** `width` and `height` are those of the upright picture, in pixels. */
export type PictureHeader = Size & {
  /** A JPEG that can be shrunk while it is read: baseline, with all colors in one scan. */
  isBaseline: boolean
}

/** Why a picture of this size is not taken; undefined for one that is. */
export function sizeFault({ height, isBaseline, width }: PictureHeader): string | undefined {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)]
  if (width * height > (isBaseline ? maxBaselinePixels : maxOtherPixels)) return pictureMessages.tooManyPixels
  if (longer < minLongerSide || shorter < minShorterSide) return pictureMessages.tooSmall
  if (longer > shorter * maxSideRatio) return pictureMessages.tooNarrow
  return undefined
}

/** What a cut keeps in view, in shares of width and height from the upper left corner. */
export type FocalPoint = { x: number; y: number }

const focalSteps = 20
/** Whether it is a share of a focal point: from 0 to 1, in steps of 0.05. */
export const isFocalShare = (share: number): boolean =>
  share >= 0 && share <= 1 && Math.abs(share * focalSteps - Math.round(share * focalSteps)) < 1e-6

/** What copies are made for: a page, the picture on top of the home page, or a link that is shared. */
export type Recipe = { kind: 'page' } | { kind: 'hero' | 'social'; focal: FocalPoint }

/** `page`, `hero@0.30,0.00`, `social@0.30,0.00`. */
export function formatRecipe(recipe: Recipe): string {
  if (recipe.kind === 'page') return recipe.kind
  const { x, y } = recipe.focal
  return `${recipe.kind}@${x.toFixed(2)},${y.toFixed(2)}`
}

const recipePattern = /^(hero|social)@([01]\.\d\d),([01]\.\d\d)$/

/** A recipe by its name; undefined for anything else. */
export function parseRecipe(text: string): Recipe | undefined {
  if (text === 'page') return { kind: 'page' }
  const [, kind, ...shares] = recipePattern.exec(text) ?? []
  const [x = Number.NaN, y = Number.NaN] = shares.map(Number)
  return isFocalShare(x) && isFocalShare(y) ? { kind: kind as 'hero' | 'social', focal: { x, y } } : undefined
}

/** A copy's format, by its file's extension. */
export type CopyFormat = 'avif' | 'webp' | 'jpg'
export const copyTypes: Record<CopyFormat, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
}

/** The part of a picture that a set of copies shows: all of it, or an upright or wide cut around the focal point. */
export type CutName = 'whole' | 'phone' | 'social'
/** A cut whose copies are in their places, at `/media/HASH-WIDTH.ext`. */
export type PictureCut = Size & {
  cut: CutName
  /** 16 hex digits. */
  hash: string
  /** Of the copies in each format, rising. */
  widths: Record<CopyFormat, number[]>
  /** A blurred copy 12 pixels wide, as a data address. */
  placeholder: string
}
export type CutPlan = {
  cut: CutName
  /** Of the cut's sides; the whole picture without it. */
  ratio?: Size
  widths: Record<CopyFormat, readonly number[]>
  /** From 1 to 100. */
  quality: Record<CopyFormat, number>
}

const quality = { avif: 50, webp: 74, jpg: 74 }
const plans: Record<Recipe['kind'], readonly CutPlan[]> = {
  page: [
    {
      cut: 'whole',
      widths: { avif: [400, 800, 1200], webp: [400, 800, 1200, 1600], jpg: [800, 1200] },
      quality,
    },
  ],
  hero: [
    { cut: 'whole', widths: { avif: [], webp: [960, 1440, 1920, 2400], jpg: [1440, 2400] }, quality },
    {
      cut: 'phone',
      ratio: { width: 32, height: 45 },
      widths: { avif: [480, 768, 960], webp: [480, 768, 960], jpg: [960] },
      quality: { ...quality, avif: 42 },
    },
  ],
  social: [
    {
      cut: 'social',
      ratio: { width: 1200, height: 630 },
      widths: { avif: [], webp: [], jpg: [1200] },
      quality,
    },
  ],
}

/** The sets of copies that a recipe makes, each with its own hash. */
export const cutPlansOf = (recipe: Recipe): readonly CutPlan[] => plans[recipe.kind]

export type Rectangle = Size & { left: number; top: number }

/** The largest rectangle of these proportions in a picture, around the focal point as far as the edges allow. */
export function cutAround(picture: Size, ratio: Size, focal: FocalPoint): Rectangle {
  const width = Math.min(picture.width, Math.round((picture.height * ratio.width) / ratio.height))
  const height = Math.min(picture.height, Math.round((picture.width * ratio.height) / ratio.width))
  const start = (share: number, whole: number, part: number) =>
    Math.min(Math.max(Math.round(share * whole - part / 2), 0), whole - part)
  return {
    left: start(focal.x, picture.width, width),
    top: start(focal.y, picture.height, height),
    width,
    height,
  }
}

/** The part of an upright picture that a set of copies shows, in pixels. */
export function rectangleOf(plan: CutPlan, recipe: Recipe, picture: Size): Rectangle {
  if (!plan.ratio || recipe.kind === 'page') return { left: 0, top: 0, ...picture }
  return cutAround(picture, plan.ratio, recipe.focal)
}

/** A copy has at most so many pixels, or making it would take more memory than there is. */
const maxCopyPixels: Record<CopyFormat, number> = { avif: 3_000_000, webp: 8_000_000, jpg: 8_000_000 }

/** Widths of a cut's copies in one format, rising: never wider than the cut, and narrower where it is very tall. */
export function copyWidths({ widths }: CutPlan, { height, width }: Size, format: CopyFormat): number[] {
  const largest = Math.min(width, Math.floor(Math.sqrt((maxCopyPixels[format] * width) / height)))
  const wanted = widths[format]
  const smaller = wanted.filter(each => each < largest)
  return smaller.length < wanted.length ? [...smaller, Math.min(largest, Math.max(...wanted))] : smaller
}

/** Rises with every change of how copies are made that no plan shows: their addresses change with it. */
const settingsVersion = 1

/** The text whose hash names the copies of a cut: of an original by its SHA-256, a recipe, and the settings. */
export const copyIdentity = (originalSha256: string, recipe: Recipe, plan: CutPlan): string =>
  JSON.stringify([settingsVersion, originalSha256, formatRecipe(recipe), plan])

export const mediaPath = '/media/'
/** `hash` is 16 lower-case hex digits. */
export type CopyName = { hash: string; width: number; format: CopyFormat }

/** `0123456789abcdef-400.webp`, the file's name and the end of its address. */
export const formatCopyName = ({ format, hash, width }: CopyName): string => `${hash}-${width}.${format}`

/** A copy by its file's name; undefined for anything else. */
export function parseCopyName(name: string): CopyName | undefined {
  const [, hash, width, format] = /^([0-9a-f]{16})-([1-9]\d{0,3})\.(avif|webp|jpg)$/.exec(name) ?? []
  return hash ? { hash, width: Number(width), format: format as CopyFormat } : undefined
}

/** How the next try to make copies goes after so many, each counted before it began; undefined when there is none. */
export function attemptAfter(attempts: number): { withAvif: boolean } | undefined {
  return attempts < 2 ? { withAvif: attempts === 0 } : undefined
}

/** How a try ended: `died` when the process was killed, took too long or crashed. */
export type AttemptOutcome = 'made' | 'unreadable' | 'died'
export type CopiesState =
  | { state: 'ready'; fault: null }
  | { state: 'processing'; fault: null }
  | { state: 'failed'; fault: string }

/** What is known of copies after their last try; `attempts` counts it. */
export function stateAfter(outcome: AttemptOutcome, attempts: number): CopiesState {
  if (outcome === 'made') return { state: 'ready', fault: null }
  if (outcome === 'unreadable') return { state: 'failed', fault: pictureMessages.unreadable }
  if (attemptAfter(attempts)) return { state: 'processing', fault: null }
  return { state: 'failed', fault: pictureMessages.notPrepared }
}
