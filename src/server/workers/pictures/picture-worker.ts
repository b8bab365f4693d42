// Entry point of a child process that reads untrusted uploads. It does one job and has access to no secrets.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp'
import { maxEvidencePixels, maxPreviewSide, maxThumbnailSide } from '../../../domain/bookings/evidence.ts'
import {
  type CopyFormat,
  type CutPlan,
  copyWidths,
  cutPlansOf,
  formatCopyName,
  maxBaselinePixels,
  maxPlaceholderLength,
  type PictureFormat,
  type PictureHeader,
  parseRecipe,
  type Recipe,
  type Rectangle,
  rectangleOf,
  type Size,
} from '../../../domain/content/picture.ts'
import { errorCode, writeDurably } from '../../lib/disk.ts'
import { readExifTime } from './exif-time.ts'
import { isBaselineJpeg } from './jpeg-scan.ts'
import type { MadeCut, PictureReply, PictureRequest } from './picture-jobs.ts'

type Prepare = Extract<PictureRequest, { job: 'prepare' }>
/** Upright pixels in memory, and the visible part of them. */
type Pixels = { data: Buffer; info: OutputInfo; cut: Rectangle }

class Unreadable extends Error {}

/** Wraps work that fails if the picture is at fault. */
async function reading<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new Unreadable(String(error))
  }
}

/** 'error', because Samsung's cameras write files that cause mere warnings; a truncated file is an error. */
const open = (path: string, limitInputPixels: number | false): Sharp =>
  sharp(path, { failOn: 'error', limitInputPixels, autoOrient: true })

async function inspect(path: string, format: PictureFormat): Promise<PictureHeader> {
  const metadata = await reading(open(path, false).metadata())
  if (metadata.format !== format) throw new Unreadable(`it is ${metadata.format}`)
  const { height, width } = metadata.autoOrient
  return { width, height, isBaseline: format === 'jpeg' && isBaselineJpeg(readFileSync(path)) }
}

/** Makes the preview from all pixels, so that a photo that cannot be decoded is found out. */
async function readPhoto(path: string): Promise<Extract<PictureReply, { result: 'photo' }>> {
  const { exif, format, icc, space } = await reading(open(path, maxEvidencePixels).metadata())
  if (format !== 'jpeg' && format !== 'png') throw new Unreadable(`it is ${format}`)
  const image = open(path, maxEvidencePixels)
    .resize({ width: maxPreviewSide, height: maxPreviewSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
  if (space === 'rgb16' && icc) image.withIccProfile('srgb', { attach: false })
  const preview = await reading(image.jpeg({ quality: 80 }).toBuffer())
  const small = {
    width: maxThumbnailSide,
    height: maxThumbnailSide,
    fit: 'inside',
    withoutEnlargement: true,
  } as const
  const thumbnail = await sharp(preview).resize(small).jpeg({ quality: 80 }).toBuffer()
  const photo = { format, takenAt: exif ? readExifTime(exif) : null } as const
  const [previewBase64 = '', thumbnailBase64 = ''] = [preview, thumbnail].map(jpeg => jpeg.toString('base64'))
  return { result: 'photo', photo, previewBase64, thumbnailBase64 }
}

async function prepare({ folder, hashes, path, recipe: name, withAvif }: Prepare): Promise<MadeCut[]> {
  const recipe = parseRecipe(name)
  if (!recipe) throw new Error(`unknown recipe ${name}`)
  const metadata = await reading(open(path, maxBaselinePixels).metadata())
  const upright = metadata.autoOrient
  const cuts: MadeCut[] = []
  for (const plan of cutPlansOf(recipe)) {
    const rectangle = rectangleOf(plan, recipe, upright)
    const formats: CopyFormat[] = withAvif ? ['webp', 'jpg', 'avif'] : ['webp', 'jpg']
    const widths: MadeCut['widths'] = { avif: [], webp: [], jpg: [] }
    for (const format of formats) widths[format] = copyWidths(plan, rectangle, format)
    const largest = Math.max(...Object.values(widths).flat())
    const pixels = await reading(cutOut(path, metadata, plan, recipe, largest))
    for (const format of formats)
      for (const width of widths[format]) {
        const copy = encode(fromPixels(pixels).resize(sized(plan.ratio ?? rectangle, width)), format, plan)
        const fileName = formatCopyName({ hash: hashes[plan.cut] ?? '', width, format })
        await writeDurably(join(folder, fileName), await copy.toBuffer(), 'wx')
      }
    const { height, width } = rectangle
    cuts.push({ cut: plan.cut, width, height, widths, placeholder: await placeholderOf(pixels) })
  }
  return cuts
}

/**
 * The cut at the width of its largest copy, upright, sRGB and on white. The whole picture is scaled down while it is
 * read, then cut in memory: cutting first would read and rotate the picture at full size.
 */
async function cutOut(
  path: string,
  { autoOrient: upright, icc, space }: Metadata,
  plan: CutPlan,
  recipe: Recipe,
  width: number,
): Promise<Pixels> {
  const scale = width / rectangleOf(plan, recipe, upright).width
  const shrunk = { width: Math.round(upright.width * scale), height: Math.round(upright.height * scale) }
  const image = open(path, maxBaselinePixels)
    .resize({ ...shrunk, fit: 'fill' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
  // sharp silently converts 16 bits with a profile to Display P3.
  if (space === 'rgb16' && icc) image.withIccProfile('srgb', { attach: false })
  const whole = await image.raw().toBuffer({ resolveWithObject: true })
  return { ...whole, cut: rectangleOf(plan, recipe, shrunk) }
}

/** Exactly these proportions, because the cut may be off by one pixel. */
const sized = ({ height, width }: Size, wanted: number) => ({
  width: wanted,
  height: Math.max(1, Math.round((wanted * height) / width)),
  fit: 'fill' as const,
})

const fromPixels = ({ cut, data, info: { channels, height, width } }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels } }).extract(cut)

function encode(image: Sharp, format: CopyFormat, { quality }: CutPlan): Sharp {
  if (format === 'webp') return image.webp({ quality: quality.webp })
  if (format === 'jpg') return image.jpeg({ quality: quality.jpg, mozjpeg: true })
  // Needs half the memory, and the difference is invisible in photographs.
  return image.avif({ quality: quality.avif, effort: 4, chromaSubsampling: '4:2:0' })
}

async function placeholderOf(pixels: Pixels): Promise<string> {
  let address = ''
  for (const quality of [60, 30, 10, 1]) {
    const tiny = await fromPixels(pixels).resize(12).webp({ quality, effort: 6 }).toBuffer()
    address = `data:image/webp;base64,${tiny.toString('base64')}`
    if (address.length <= maxPlaceholderLength) break
  }
  return address
}

async function replyTo(request: PictureRequest): Promise<PictureReply> {
  try {
    if (request.job === 'inspect')
      return { result: 'header', header: await inspect(request.path, request.format) }
    if (request.job === 'photo') return await readPhoto(request.path)
    const cuts = await prepare(request)
    return { result: 'made', cuts, peakMib: peakMib() }
  } catch (error) {
    const reason = String(error)
    return error instanceof Unreadable
      ? { result: 'unreadable', reason }
      : { result: 'failed', reason, code: errorCode(error) }
  }
}

/** Gives the site priority for the CPU and when memory runs out. Not every system allows that. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW)
    // On Linux the call above covers only the main thread; later threads inherit from the thread that starts them.
    for (const thread of readdirSync('/proc/self/task'))
      setPriority(Number(thread), constants.priority.PRIORITY_LOW)
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {}
}

/** The peak memory of this process; other systems include the parent's. */
function peakMib(): number {
  try {
    const [, kib] = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return Number(kib) / 1024
  } catch {
    return process.resourceUsage().maxRSS / 1024
  }
}

/** One thread, no cache, and only the loaders of the three formats. */
function restrict(): void {
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })
}

// Signals that end the site also reach this process; the site kills it when it is time.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.once('message', async (request: PictureRequest) => {
  if (request.isLowPriority) lowerPriority()
  restrict()
  process.send?.(await replyTo(request))
})
