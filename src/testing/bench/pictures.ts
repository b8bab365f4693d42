import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import sharp, { type Sharp } from 'sharp'
import { projectRoot } from '../../../db/project-root.ts'
import { type PictureFormat, parseRecipe } from '../../domain/content/picture.ts'
import { sha256 } from '../../server/lib/sha256.ts'
import {
  createPicturePreparer,
  type PicturePreparer,
} from '../../server/workers/pictures/picture-preparer.ts'
import { savePicture } from '../build-picture.ts'
import { measureUploads } from './picture-uploads.ts'
import { printTable } from './table.ts'

const maxMib = 230
const maxDelayMs = 100

type Original = { name: string; format: PictureFormat; recipe: string; make: (photo: Sharp) => Sharp }
const sized = (photo: Sharp, width: number, height: number) => photo.resize({ width, height, fit: 'fill' })
const originals: Original[] = [
  { name: '12 megapixels', format: 'jpeg', recipe: 'page', make: photo => sized(photo, 4000, 3000).jpeg() },
  {
    name: '50 megapixels, rotated',
    format: 'jpeg',
    recipe: 'page',
    make: photo => sized(photo, 8160, 6120).withMetadata({ orientation: 6 }).jpeg(),
  },
  {
    name: '50 megapixels, as hero',
    format: 'jpeg',
    recipe: 'hero@0.30,0.00',
    make: photo => sized(photo, 8160, 6120).jpeg(),
  },
  {
    name: '52 megapixels, very tall',
    format: 'jpeg',
    recipe: 'page',
    make: photo => sized(photo, 3600, 14_400).jpeg(),
  },
  {
    name: '12 megapixels, progressive CMYK',
    format: 'jpeg',
    recipe: 'page',
    make: photo =>
      sized(photo, 4000, 3000).toColourspace('cmyk').jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
  },
  {
    name: '12 megapixels, interlaced, 16 bits per channel',
    format: 'png',
    recipe: 'page',
    make: photo =>
      sized(photo, 4000, 3000)
        .ensureAlpha(0.5)
        .toColourspace('rgb16')
        .png({ progressive: true, compressionLevel: 1 }),
  },
  { name: '12 megapixels', format: 'webp', recipe: 'page', make: photo => sized(photo, 4000, 3000).webp() },
]

const head = ['picture', 'seconds', 'child MiB', 'goal', 'event-loop delay ms', 'goal', 'main thread ms']

/**
 * Measures the cost of a picture: seconds, the child's memory, the longest event-loop delay of the parent process, and
 * the processor time of its main thread. The `nothing` row shows the machine's own delay. Then measures photographs
 * uploaded to the built site.
 */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'condo-bench-'))
  const script = join(projectRoot, 'dist/server/picture-worker.js')
  const preparer = createPicturePreparer({ uploadsDir: folder, script })
  const photo = join(projectRoot, 'src/server/site/content/pictures/02-balcony-ocean.jpg')
  try {
    const { delay, workedMs } = await observe(() => new Promise(resolve => setTimeout(resolve, 5000)))
    const rows = [head, ['nothing', '5.0', '', '', ...delay, workedMs]]
    for (const original of originals) {
      const path = await savePicture(folder, 'original', original.make(sharp(photo)))
      const name = `${original.name} (${original.format}, ${original.recipe})`
      rows.push([name, ...(await measure(preparer, path, original))])
    }
    printTable(rows)
    await measureUploads(photo)
  } finally {
    await preparer.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(preparer: PicturePreparer, path: string, original: Original): Promise<string[]> {
  const recipe = parseRecipe(original.recipe)
  if (!recipe) throw new Error(`unknown recipe ${original.recipe}`)
  const hash = sha256(await readFile(path))
  await preparer.inspect({ path, format: original.format })
  const { delay, seconds, value, workedMs } = await observe(() =>
    preparer.prepare({ path, sha256: hash, recipe, withAvif: true }),
  )
  if (value.outcome !== 'made') return [`${value.outcome}: ${value.reason}`]
  const { peakMib } = value
  const goal = `${maxMib} ${peakMib < maxMib ? 'met' : 'missed'}`
  return [seconds.toFixed(1), peakMib.toFixed(0), goal, ...delay, workedMs]
}

/** Runs `work` and measures the event-loop delay of this process during it. */
async function observe<T>(work: () => Promise<T>) {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  const [startedAt, before] = [performance.now(), process.threadCpuUsage()]
  const value = await work()
  const { system, user } = process.threadCpuUsage(before)
  histogram.disable()
  const worstMs = histogram.max / 1e6
  return {
    value,
    seconds: (performance.now() - startedAt) / 1000,
    delay: [worstMs.toFixed(0), `${maxDelayMs} ${worstMs < maxDelayMs ? 'met' : 'missed'}`],
    workedMs: ((system + user) / 1000).toFixed(0),
  }
}
