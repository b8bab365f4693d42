import type { ContentDocument, SectionName } from './content.ts'

/** Messages about pictures that the owner uploads. */
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

/** Maximum size of a picture's file, in bytes. */
export const maxPictureBytes = 20_971_520
export const maxPictures = 100
export const maxConcurrentPictures = 3
/** Of these, uploads of one person: whose pictures drip must not take all places. */
export const maxPicturesOfOne = 2
/** Maximum pixels of a JPEG that is scaled down while decoding, and of all pictures that must be decoded as a whole. */
export const maxBaselinePixels = 52_000_000
const maxOtherPixels = 12_000_000
const minLongerSide = 800
const minShorterSide = 500
const maxSideRatio = 4
/** Maximum length of a placeholder as a data URL. */
export const maxPlaceholderLength = 600

/** Formats of an original. */
export type PictureFormat = 'jpeg' | 'png' | 'webp'

export type Size = { width: number; height: number }
/** `width` and `height` are those of the upright picture, in pixels. */
export type PictureHeader = Size & {
  /** A JPEG that can be scaled down while decoding: baseline, with all colors in one scan. */
  isBaseline: boolean
}

/** Why a picture of this size is rejected; undefined if it is accepted. */
export function sizeError({ height, isBaseline, width }: PictureHeader): string | undefined {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)]
  if (width * height > (isBaseline ? maxBaselinePixels : maxOtherPixels)) return pictureMessages.tooManyPixels
  if (longer < minLongerSide || shorter < minShorterSide) return pictureMessages.tooSmall
  if (longer > shorter * maxSideRatio) return pictureMessages.tooNarrow
  return undefined
}

/** The point that a cut keeps in view, as fractions of width and height from the upper left corner. */
export type FocalPoint = { x: number; y: number }

const focalSteps = 20
/** Whether the number is a valid coordinate of a focal point: 0 to 1, in steps of 0.05. */
export const isFocalShare = (share: number): boolean =>
  share >= 0 && share <= 1 && Math.abs(share * focalSteps - Math.round(share * focalSteps)) < 1e-6

/** What the copies are for: a page, the picture at the top of the home page, or the preview of a shared link. */
export type Recipe = { kind: 'page' } | { kind: 'hero' | 'social'; focal: FocalPoint }

/** Such as `page`, `hero@0.30,0.00` or `social@0.30,0.00`. */
export function formatRecipe(recipe: Recipe): string {
  if (recipe.kind === 'page') return recipe.kind
  const { x, y } = recipe.focal
  return `${recipe.kind}@${x.toFixed(2)},${y.toFixed(2)}`
}

const recipePattern = /^(hero|social)@([01]\.\d\d),([01]\.\d\d)$/

/** Parses the name of a recipe; undefined for anything else. */
export function parseRecipe(text: string): Recipe | undefined {
  if (text === 'page') return { kind: 'page' }
  const [, kind, ...shares] = recipePattern.exec(text) ?? []
  const [x = Number.NaN, y = Number.NaN] = shares.map(Number)
  return isFocalShare(x) && isFocalShare(y) ? { kind: kind as 'hero' | 'social', focal: { x, y } } : undefined
}

/** A copy's format, which is its file extension. */
export type CopyFormat = 'avif' | 'webp' | 'jpg'
export const copyTypes: Record<CopyFormat, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
}

/** The part of a picture that a set of copies shows: all of it, or a portrait or wide crop around the focal point. */
export type CutName = 'whole' | 'phone' | 'social'
/** A cut whose copies are stored, at `/media/HASH-WIDTH.ext`. */
export type PictureCut = Size & {
  cut: CutName
  /** 16 hex digits. */
  hash: string
  /** Widths of the copies in each format, ascending. */
  widths: Record<CopyFormat, number[]>
  /** A blurred copy 12 pixels wide, as a data URL. */
  placeholder: string
}
export type CutPlan = {
  cut: CutName
  /** Aspect ratio of the cut; if missing, the whole picture. */
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

/** The sets of copies that a recipe makes, each with a separate hash. */
export const cutPlansOf = (recipe: Recipe): readonly CutPlan[] => plans[recipe.kind]

export type Rectangle = Size & { left: number; top: number }

/** The largest rectangle with this aspect ratio in a picture, centered on the focal point as far as the edges allow. */
export function cropAround(picture: Size, ratio: Size, focal: FocalPoint): Rectangle {
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
  return cropAround(picture, plan.ratio, recipe.focal)
}

/** Maximum pixels of a copy; larger ones would need too much memory. */
const maxCopyPixels: Record<CopyFormat, number> = { avif: 3_000_000, webp: 8_000_000, jpg: 8_000_000 }

/** Widths of a cut's copies in one format, ascending: never wider than the cut, and narrower if it is very tall. */
export function copyWidths({ widths }: CutPlan, { height, width }: Size, format: CopyFormat): number[] {
  const largest = Math.min(width, Math.floor(Math.sqrt((maxCopyPixels[format] * width) / height)))
  const wanted = widths[format]
  const smaller = wanted.filter(each => each < largest)
  return smaller.length < wanted.length ? [...smaller, Math.min(largest, Math.max(...wanted))] : smaller
}

/**
 * Increase this after a change of the settings that is not part of a plan, so that the addresses of the copies change.
 */
const settingsVersion = 1

/** The text whose hash names the copies of a cut: the original's SHA-256, the recipe, and the settings. */
export const copyIdentity = (originalSha256: string, recipe: Recipe, plan: CutPlan): string =>
  JSON.stringify([settingsVersion, originalSha256, formatRecipe(recipe), plan])

export const mediaPath = '/media/'
/** `hash` is 16 lower-case hex digits. */
export type CopyName = { hash: string; width: number; format: CopyFormat }

/** Such as `0123456789abcdef-400.webp`: the file name, and the end of the address. */
export const formatCopyName = ({ format, hash, width }: CopyName): string => `${hash}-${width}.${format}`

/** Parses the file name of a copy; undefined for anything else. */
export function parseCopyName(name: string): CopyName | undefined {
  const [, hash, width, format] = /^([0-9a-f]{16})-([1-9]\d{0,3})\.(avif|webp|jpg)$/.exec(name) ?? []
  return hash ? { hash, width: Number(width), format: format as CopyFormat } : undefined
}

/** How to make the next attempt after this many, each counted before it began; undefined if there is none. */
export function attemptAfter(attempts: number): { withAvif: boolean } | undefined {
  return attempts < 2 ? { withAvif: attempts === 0 } : undefined
}

/** How an attempt ended: `died` if the process was killed, timed out or crashed. */
type AttemptOutcome = 'made' | 'unreadable' | 'died'
type CopiesState =
  | { state: 'ready'; fault: null }
  | { state: 'processing'; fault: null }
  | { state: 'failed'; fault: string }

/** The state of copies after their last attempt, which `attempts` includes. */
export function stateAfter(outcome: AttemptOutcome, attempts: number): CopiesState {
  if (outcome === 'made') return { state: 'ready', fault: null }
  if (outcome === 'unreadable') return { state: 'failed', fault: pictureMessages.unreadable }
  if (attemptAfter(attempts)) return { state: 'processing', fault: null }
  return { state: 'failed', fault: pictureMessages.notPrepared }
}

/** The sections that show a single picture. */
const single = ['hero', 'overview', 'location', 'contact'] as const

type Pictured = Pick<ContentDocument, (typeof single)[number] | 'gallery'>

/** The pictures that a document uses, each with its sections, in the order of the page. */
export function pictureUses({
  contact,
  gallery,
  hero,
  location,
  overview,
}: Pictured): Map<string, SectionName[]> {
  const uses: [SectionName, string | null][] = [
    ['hero', hero.picture],
    ['overview', overview.picture],
    ...gallery.pictures.map(({ picture }): [SectionName, string | null] => ['gallery', picture]),
    ['location', location.picture],
    ['contact', contact.picture],
  ]
  const used = new Map<string, SectionName[]>()
  for (const [section, picture] of uses) {
    const before = picture === null ? undefined : (used.get(picture) ?? [])
    if (picture !== null && before && !before.includes(section)) used.set(picture, [...before, section])
  }
  return used
}

/** The document without missing pictures, and the list of these pictures (SITE-27). */
export function withoutMissingPictures<Document extends Pictured>(
  document: Document,
  exists: (picture: string) => boolean,
): { document: Document; missing: string[] } {
  const missing = [...pictureUses(document).keys()].filter(picture => !exists(picture))
  const isGone = (picture: string | null) => picture !== null && missing.includes(picture)
  const emptied = single.map(name => {
    const body = document[name]
    return [name, isGone(body.picture) ? { ...body, picture: null } : body]
  })
  const pictures = document.gallery.pictures.filter(({ picture }) => !isGone(picture))
  return {
    document: { ...document, ...Object.fromEntries(emptied), gallery: { ...document.gallery, pictures } },
    missing,
  }
}
