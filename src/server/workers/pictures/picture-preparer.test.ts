import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../../db/project-root.ts'
import {
  type CopyFormat,
  formatCopyName,
  maxPlaceholderLength,
  type PictureCut,
  type PictureFormat,
  parseRecipe,
  pictureMessages,
} from '../../../domain/content/picture.ts'
import {
  blue,
  colorFields,
  green,
  quarters,
  red,
  savePicture,
  secrets,
  withMetadata,
  yellow,
} from '../../../testing/build-picture.ts'
import { afterThisTest } from '../../../testing/cleanups.ts'
import { chunk } from '../../../testing/png.ts'
import { testFolder } from '../../../testing/test-folder.ts'
import { createPicturePreparer, hashesOf, type PicturePreparerOptions } from './picture-preparer.ts'

const onLinux = process.platform === 'linux'
const original = 'a'.repeat(64)
const white = [255, 255, 255]

async function open(options: Partial<PicturePreparerOptions> = {}) {
  const folder = testFolder()
  const preparer = createPicturePreparer({ uploadsDir: folder, isLowPriority: false, ...options })
  afterThisTest(() => preparer.close())
  const media = join(folder, 'media')
  return {
    ...preparer,
    folder,
    media,
    /** Names of the copies that are in place. */
    copies: () => readdirSync(media).filter(name => name !== 'incoming'),
    halves: () => readdirSync(join(media, 'incoming')),
    save: (name: string, content: Sharp | Uint8Array) => savePicture(folder, name, content),
    prepare: (path: string, recipe = 'page', withAvif = true) => {
      const parsed = parseRecipe(recipe)
      if (!parsed) throw new Error(recipe)
      return preparer.prepare({ path, sha256: original, recipe: parsed, withAvif })
    },
    copy: ({ hash }: PictureCut, width: number, format: CopyFormat) =>
      readFileSync(join(media, formatCopyName({ hash, width, format }))),
  }
}
type Opened = Awaited<ReturnType<typeof open>>

async function cutsOf(opened: Opened, path: string, recipe?: string, withAvif?: boolean) {
  const prepared = await opened.prepare(path, recipe, withAvif)
  if (prepared.outcome !== 'made') throw new Error(JSON.stringify(prepared))
  return prepared
}

/** The color at a position in a copy, in fractions of its width and height. */
async function colorAt(copy: Uint8Array, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(copy).raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
  return [...data.subarray(at, at + 3)]
}
const expectColor = async (copy: Uint8Array, x: number, y: number, color: readonly number[], within = 14) => {
  const found = await colorAt(copy, x, y)
  expect(Math.max(...found.map((value, i) => Math.abs(value - (color[i] ?? 0)))), `${found}`).toBeLessThan(
    within,
  )
}

/** Every copy is sRGB, has no metadata, and shows the four quarters upright. */
async function expectUpright(opened: Opened, proportions: number) {
  for (const name of opened.copies()) {
    const copy = readFileSync(join(opened.media, name))
    const { exif, hasProfile, height, icc, orientation, space, width, xmp } = await sharp(copy).metadata()
    expect({ exif, hasProfile, icc, orientation, space, xmp }, name).toEqual({
      exif: undefined,
      icc: undefined,
      orientation: undefined,
      xmp: undefined,
      hasProfile: false,
      space: 'srgb',
    })
    expect(height, name).toBe(Math.round(width * proportions))
    for (const secret of [...secrets, 'Exif', 'EXIF', 'GPS', 'xmpmeta', 'XMP', 'ICC'])
      expect(copy.includes(secret), `${name}: ${secret}`).toBe(false)
    await expectColor(copy, 0.2, 0.2, blue, 50)
    await expectColor(copy, 0.8, 0.2, red, 50)
    await expectColor(copy, 0.2, 0.8, yellow, 50)
    await expectColor(copy, 0.8, 0.8, green, 50)
  }
}

test('makes upright copies without metadata from a 48 megapixel phone picture, within 230 MB [PIC-06, PIC-08, PIC-09, PIC-13]', async () => {
  const opened = await open()
  // Turned by 90 degrees to the right, the picture is 6,000 × 8,000: blue, red, yellow, green.
  const jpeg = await quarters(8000, 6000).jpeg({ quality: 60 }).toBuffer()
  const path = await opened.save('48.jpg', await withMetadata(jpeg, 6))
  for (const secret of [...secrets, 'Exif', 'ICC_PROFILE'])
    expect(readFileSync(path).includes(secret), secret).toBe(true)
  expect(await opened.inspect({ path, format: 'jpeg' })).toEqual({
    width: 6000,
    height: 8000,
    isBaseline: true,
  })
  const { cuts, peakMib } = await cutsOf(opened, path, 'page', false)
  expect(cuts).toEqual([
    {
      cut: 'whole',
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      width: 6000,
      height: 8000,
      widths: { webp: [400, 800, 1200, 1600], jpg: [800, 1200], avif: [] },
      placeholder: expect.stringMatching(/^data:image\/webp;base64,/),
    },
  ])
  expect(opened.copies()).toHaveLength(6)
  expect(opened.halves()).toEqual([])
  await expectUpright(opened, 4 / 3)
  const [, base64 = ''] = cuts[0]?.placeholder.split(',') ?? []
  expect(await sharp(Buffer.from(base64, 'base64')).metadata()).toMatchObject({ format: 'webp', width: 12 })
  if (onLinux) expect(peakMib).toBeLessThan(230)
}, 60_000)

test('makes AVIF copies of a small picture too, none wider than the picture [PIC-08, PIC-09]', async () => {
  const opened = await open()
  const jpeg = await quarters(900, 600).jpeg().toBuffer()
  const { cuts } = await cutsOf(opened, await opened.save('small.jpg', await withMetadata(jpeg, 6)))
  expect(cuts[0]?.widths).toEqual({ webp: [400, 600], jpg: [600], avif: [400, 600] })
  expect(opened.copies().filter(name => name.endsWith('.avif'))).toHaveLength(2)
  await expectUpright(opened, 1.5)
})

test('the largest picture that must be read as a whole stays within 230 MB [PIC-03, PIC-06]', async () => {
  const opened = await open()
  const inks = sharp(await quarters(2, 2).toColourspace('cmyk').tiff().toBuffer())
    .pipelineColourspace('cmyk')
    .resize({ width: 4000, height: 3000, fit: 'fill', kernel: 'nearest' })
    .toColourspace('cmyk')
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
  const path = await opened.save('inks.jpg', inks)
  expect(await opened.inspect({ path, format: 'jpeg' })).toEqual({
    width: 4000,
    height: 3000,
    isBaseline: false,
  })
  const { cuts, peakMib } = await cutsOf(opened, path, 'page', false)
  expect(cuts[0]?.widths.webp).toEqual([400, 800, 1200, 1600])
  if (onLinux) expect(peakMib).toBeLessThan(230)
}, 60_000)

test('the hero keeps its focal point on phones and in shared links [PIC-10]', async () => {
  const opened = await open()
  const stripes = [[red, green, blue, yellow, red, green, blue, yellow, red, green]]
  const path = await opened.save('stripes.jpg', colorFields(stripes, 2400, 960).jpeg())
  const { cuts } = await cutsOf(opened, path, 'hero@0.75,0.50', false)
  const [whole, phone] = cuts
  if (!whole || !phone) throw new Error('no cuts')
  expect(whole.widths).toEqual({ webp: [960, 1440, 1920, 2400], jpg: [1440, 2400], avif: [] })
  expect(phone).toMatchObject({ cut: 'phone', width: 683, height: 960 })
  expect(phone.widths).toEqual({ webp: [480, 683], jpg: [683], avif: [] })
  expect(phone.hash).not.toBe(whole.hash)
  await expectColor(opened.copy(whole, 1440, 'jpg'), 0.05, 0.5, red)
  const copy = opened.copy(phone, 480, 'webp')
  expect(await sharp(copy).metadata()).toMatchObject({ width: 480, height: 675 })
  // The cut shows the part from 0.61 to 0.89 of the picture.
  await expectColor(copy, 0.1, 0.5, blue)
  await expectColor(copy, 0.5, 0.5, yellow)
  await expectColor(copy, 0.9, 0.5, red)
  const [social] = (await cutsOf(opened, path, 'social@0.00,0.00', false)).cuts
  if (!social) throw new Error('no cut')
  const link = opened.copy(social, 1200, 'jpg')
  expect(await sharp(link).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
  await expectColor(link, 0.05, 0.5, red)
})

/** Two frames, red and then blue. */
async function animation(): Promise<Buffer> {
  const frames = await Promise.all(
    [red, blue].map(color =>
      colorFields([[color]], 900, 600)
        .png()
        .toBuffer(),
    ),
  )
  return sharp(frames, { join: { animated: true } })
    .webp({ loop: 0, delay: 100 })
    .toBuffer()
}
const through = { r: 0, g: 0, b: 0, alpha: 0 }
const empty = () => sharp({ create: { width: 900, height: 600, channels: 4, background: through } })
const field = (...color: [number, number, number]) => colorFields([[color]], 900, 600)

test.each<[what: string, color: readonly number[], content: () => Sharp | Promise<Buffer>]>([
  ['a transparent PNG', white, () => empty().png()],
  ['a grey PNG that is transparent', white, () => empty().toColourspace('b-w').png()],
  ['the first frame of an animation', red, animation],
  ['a CMYK JPEG', [90, 110, 90], () => field(90, 110, 90).toColourspace('cmyk').jpeg()],
  ['a PNG in Display P3', [255, 0, 0], () => field(255, 0, 0).withIccProfile('p3').png()],
  [
    'a PNG of 16 bits with a profile',
    [255, 0, 0],
    () => field(255, 0, 0).toColourspace('rgb16').withIccProfile('srgb').png(),
  ],
])('%s: makes sRGB copies on white, never enlarged [PIC-08, PIC-10]', async (_what, color, content) => {
  const opened = await open()
  const path = await opened.save('picture', await content())
  const [cut] = (await cutsOf(opened, path, 'social@0.50,0.50', false)).cuts
  if (!cut) throw new Error('no cut')
  expect(cut.widths.jpg).toEqual([900])
  const copy = opened.copy(cut, 900, 'jpg')
  await expectColor(copy, 0.5, 0.5, color)
  expect(await sharp(copy).metadata()).toMatchObject({ space: 'srgb', channels: 3, hasProfile: false })
})

test('makes a short placeholder for any picture [PIC-13]', async () => {
  const opened = await open()
  const noise = { type: 'gaussian', mean: 128, sigma: 120 } as const
  const grains = sharp({ create: { width: 12, height: 48, channels: 3, background: '#888', noise } })
  const raw = { width: 12, height: 48, channels: 3 as const }
  const tall = sharp(await grains.raw().toBuffer(), { raw }).resize({
    width: 500,
    height: 2000,
    kernel: 'nearest',
  })
  const path = await opened.save('noise.png', tall.png())
  const { cuts } = await cutsOf(opened, path, 'social@0.50,0.50', false)
  const placeholder = cuts[0]?.placeholder ?? ''
  expect(placeholder.length).toBeGreaterThan(60)
  expect(placeholder.length).toBeLessThanOrEqual(maxPlaceholderLength)
})

/** A PNG whose header claims more pixels than the file contains. */
const bomb = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', Buffer.alloc(40)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
/** The JPEG with other dimensions in its frame. */
const resized = (jpeg: Buffer, width: number, height: number): Buffer => {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(height, at + 5)
  jpeg.writeUInt16BE(width, at + 7)
  return jpeg
}
const { tooManyPixels, unreadable } = pictureMessages

test.each<[what: string, format: PictureFormat, sentence: string, content: () => Promise<Buffer> | Buffer]>([
  ['a PNG of 3,600 megapixels in 100 bytes', 'png', tooManyPixels, () => bomb(60_000, 60_000)],
  [
    'a JPEG of 4,294 megapixels',
    'jpeg',
    tooManyPixels,
    async () => resized(await quarters(800, 500).jpeg().toBuffer(), 65_500, 65_500),
  ],
  [
    'a progressive JPEG above 12',
    'jpeg',
    tooManyPixels,
    () => quarters(4010, 3000).jpeg({ progressive: true }).toBuffer(),
  ],
  [
    'a JPEG that ends in its header',
    'jpeg',
    unreadable,
    async () => (await quarters(800, 500).jpeg().toBuffer()).subarray(0, 100),
  ],
  ['a WebP in the place of a JPEG', 'jpeg', unreadable, () => quarters(900, 600).webp().toBuffer()],
])('rejects %s by its header [PIC-03, PIC-04]', async (_what, format, sentence, content) => {
  const opened = await open()
  const path = await opened.save('picture', await content())
  await expect(opened.inspect({ path, format })).rejects.toMatchObject({ status: 400, message: sentence })
})

const half = (content: Buffer) => content.subarray(0, content.length / 2)
const broken = (content: Buffer) => Buffer.from(content).fill(0x55, 100_000, 100_050)

test.each<[what: string, format: PictureFormat, content: () => Promise<Buffer>]>([
  ['a JPEG that breaks off', 'jpeg', async () => half(await quarters(1600, 1000).jpeg().toBuffer())],
  [
    'a PNG with a fault',
    'png',
    async () => broken(await quarters(1600, 1000).png({ compressionLevel: 0 }).toBuffer()),
  ],
  ['a WebP that breaks off', 'webp', async () => half(await quarters(1600, 1000).webp().toBuffer())],
])(
  '%s is rejected as unreadable during preparation at the latest, and leaves no copy [PIC-04, PIC-12]',
  async (_what, format, content) => {
    const opened = await open()
    const path = await opened.save('picture', await content())
    const refusal = await opened.inspect({ path, format }).catch(error => error.message)
    expect(refusal).toSatisfy(found => found === unreadable || typeof found === 'object')
    expect(await opened.prepare(path, 'page', false)).toMatchObject({
      outcome: 'unreadable',
      reason: expect.any(String),
    })
    expect(opened.copies()).toEqual([])
    expect(opened.halves()).toEqual([])
  },
)

test('accepts a JPEG as written by Samsung’s cameras, whose scan causes a decoder warning [PIC-04]', async () => {
  const opened = await open()
  const jpeg = await colorFields([[green]], 900, 600)
    .jpeg()
    .toBuffer()
  const at = jpeg.indexOf(Buffer.from([0xff, 0xda]))
  // The last of the scan's parameters: 63 in every other JPEG.
  expect(jpeg[at + 12]).toBe(63)
  jpeg[at + 12] = 0
  const path = await opened.save('samsung.jpg', jpeg)
  expect(await opened.inspect({ path, format: 'jpeg' })).toMatchObject({ isBaseline: true })
  const { cuts } = await cutsOf(opened, path, 'page', false)
  if (!cuts[0]) throw new Error('no cut')
  await expectColor(opened.copy(cuts[0], 800, 'jpg'), 0.5, 0.5, green)
})

/** Runs a project module in a separate process. */
const runProgram = (program: string, env: NodeJS.ProcessEnv = {}) =>
  new Promise<{ said: string; signal: unknown }>(resolve =>
    execFile(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { cwd: projectRoot, env: { ...process.env, ...env } },
      (error, said) => resolve({ said, signal: error?.signal }),
    ),
  )
/** A picture that takes seconds to prepare. */
const grainy = () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({ create: { width: 1600, height: 1000, channels: 3, background: '#888', noise } }).jpeg()
}
const procOf = (pid: number, name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8')
/** A process that has ended stays listed as a zombie until its parent reaps it. */
const running = (pid: number) => existsSync(`/proc/${pid}`) && !/\) Z /.test(procOf(pid, 'stat'))

test.runIf(onLinux)(
  'a child lowers the priority of all its threads before it starts, and inherits nothing of the site’s environment [PIC-06]',
  async () => {
    const pids: number[] = []
    const opened = await open({ isLowPriority: true, onChild: pid => pids.push(pid) })
    const prepared = opened.prepare(await opened.save('large.jpg', grainy()))
    const own = (name: string) => procOf(pids[0] ?? 0, name)
    await expect.poll(() => own('oom_score_adj').trim(), { timeout: 15_000 }).toBe('1000')
    const niceOf = (task: string) => own(`task/${task}/stat`).split(') ')[1]?.split(' ')[16]
    expect(new Set(readdirSync(`/proc/${pids[0]}/task`).map(niceOf))).toEqual(new Set(['19']))
    const variables = own('environ').split('\0').filter(Boolean)
    expect(variables.map(each => each.split('=')[0]).toSorted()).toEqual([
      'MALLOC_ARENA_MAX',
      'MALLOC_MMAP_THRESHOLD_',
      'MALLOC_TRIM_THRESHOLD_',
      'NODE_CHANNEL_FD',
      'NODE_CHANNEL_SERIALIZATION_MODE',
      'UV_THREADPOOL_SIZE',
    ])
    expect(variables).toContain('MALLOC_ARENA_MAX=2')
    process.kill(pids[0] ?? 0, 'SIGKILL')
    expect(await prepared).toMatchObject({ outcome: 'died' })
  },
)

test.runIf(onLinux)(
  'a child that is killed while working leaves nothing, and the next picture is prepared [PIC-06, PIC-07, PIC-12]',
  async () => {
    const pids: number[] = []
    const opened = await open({ onChild: pid => pids.push(pid) })
    const first = opened.prepare(await opened.save('large.jpg', grainy()))
    const small = await opened.save('small.jpg', quarters(800, 500).jpeg())
    const second = opened.prepare(small, 'social@0.50,0.50', false)
    const written = () => opened.halves().flatMap(own => readdirSync(join(opened.media, 'incoming', own)))
    await expect.poll(written, { timeout: 15_000 }).toContainEqual(expect.stringMatching(/webp$/))
    expect(pids).toHaveLength(1)
    expect(opened.copies()).toEqual([])
    process.kill(pids[0] ?? 0, 'SIGKILL')
    expect(await first).toEqual({ outcome: 'died', reason: 'it ended with SIGKILL' })
    expect(await second).toMatchObject({ outcome: 'made' })
    expect(opened.copies()).toHaveLength(1)
    expect(opened.halves()).toEqual([])
    expect(pids).toHaveLength(2)
    expect(pids.filter(running)).toEqual([])
  },
)

test('systemd keeps the site running when a child runs out of memory [PIC-06]', () => {
  expect(readFileSync(join(projectRoot, 'deploy/condo.service'), 'utf8')).toMatch(/^OOMPolicy=continue$/m)
})

const standIn = { script: join(projectRoot, 'src/testing/stand-in-picture-worker.ts') }

test('a child that crashes or times out leaves nothing; only a crash is the picture’s fault [PIC-04, PIC-06, PIC-07, PIC-12]', async () => {
  const opened = await open(standIn)
  expect(await opened.prepare('crashes')).toEqual({ outcome: 'died', reason: 'it ended with 7' })
  await expect(opened.inspect({ path: 'crashes', format: 'png' })).rejects.toMatchObject({
    message: unreadable,
  })
  const hasty = await open({ ...standIn, prepareTimeoutMs: 300, inspectTimeoutMs: 300 })
  expect(await hasty.prepare('hangs')).toEqual({ outcome: 'died', reason: 'it took longer than 0.3 s' })
  const busy = { status: 503, message: pictureMessages.tooManyUploads, retryAfterSeconds: 60 }
  await expect(hasty.inspect({ path: 'hangs', format: 'png' })).rejects.toMatchObject(busy)
  await expect(opened.inspect({ path: 'is killed', format: 'png' })).rejects.toMatchObject(busy)
  for (const { copies, halves } of [opened, hasty]) {
    expect(copies()).toEqual([])
    expect(halves()).toEqual([])
  }
  const absent = await open({ script: join(projectRoot, 'src/testing/no-such-child.ts') })
  expect(await absent.prepare('anything')).toMatchObject({ outcome: 'died', reason: 'it ended with 1' })
})

test('a full disk is not the picture’s fault [PIC-12]', async () => {
  const opened = await open(standIn)
  await expect(opened.prepare('disk is full')).rejects.toMatchObject({
    status: 503,
    message: 'Nothing can be stored at the moment. Please try again later.',
  })
  expect(opened.copies()).toEqual([])
})

test.each([
  ['copies-written', 0],
  ['copy-renamed', 1],
])(
  'killed at %s the site leaves %d complete copies, and makes the rest after a restart [PIC-12]',
  async (point, count) => {
    const opened = await open()
    const path = await opened.save('picture.jpg', quarters(800, 500).jpeg())
    const program = `
    import { createPicturePreparer } from './src/server/workers/pictures/picture-preparer.ts'
    const preparer = createPicturePreparer({ uploadsDir: ${JSON.stringify(opened.folder)}, isLowPriority: false })
    const picture = { path: ${JSON.stringify(path)}, sha256: '${original}', recipe: { kind: 'page' }, withAvif: false }
    await preparer.prepare(picture)`
    const { signal } = await runProgram(program, { FAILPOINT: point })
    expect(signal).toBe('SIGKILL')
    expect(opened.copies()).toHaveLength(count)
    expect(opened.halves()).toHaveLength(1)
    const { cuts } = await cutsOf(opened, path, 'page', false)
    expect(opened.halves()).toEqual([])
    expect(opened.copies().toSorted()).toEqual(
      [400, 800].map(width => `${cuts[0]?.hash}-${width}.webp`).toSpliced(1, 0, `${cuts[0]?.hash}-800.jpg`),
    )
    for (const name of opened.copies())
      await expectColor(readFileSync(join(opened.media, name)), 0.2, 0.2, red)
    const recipe = { kind: 'page' } as const
    expect(hashesOf({ sha256: original, recipe })).toEqual({ whole: cuts[0]?.hash })
  },
)

test('closing kills the child, rejects queued requests and leaves nothing behind [PIC-06, PIC-07]', async () => {
  const pids: number[] = []
  const started = Promise.withResolvers<void>()
  const opened = await open({
    ...standIn,
    onChild: pid => {
      pids.push(pid)
      started.resolve()
    },
  })
  const asked = [
    opened.prepare('hangs'),
    opened.prepare('hangs'),
    opened.inspect({ path: 'hangs', format: 'png' }),
  ]
  const outcomes = Promise.allSettled(asked)
  await started.promise
  await opened.close()
  const refused = { status: 'rejected', reason: { status: 503, retryAfterSeconds: 5 } }
  expect(await outcomes).toMatchObject([refused, refused, refused])
  expect(pids.filter(running)).toEqual([])
  expect(opened.halves()).toEqual([])
  await expect(opened.prepare('hangs')).rejects.toMatchObject({ status: 503 })
})

test.runIf(onLinux)('a child does not outlive a site that is killed while it works [PIC-06]', async () => {
  const { folder, save } = await open()
  const path = await save('large.jpg', grainy())
  const program = `
    import { readdirSync } from 'node:fs'
    import { createPicturePreparer } from './src/server/workers/pictures/picture-preparer.ts'
    const folder = ${JSON.stringify(folder)}
    const isAtWork = () => readdirSync(folder, { recursive: true }).some(name => name.endsWith('.webp'))
    const onChild = pid => {
      console.log(pid)
      setInterval(() => isAtWork() && process.kill(process.pid, 'SIGKILL'), 5)
    }
    const preparer = createPicturePreparer({ uploadsDir: folder, onChild, isLowPriority: false })
    const picture = { path: ${JSON.stringify(path)}, sha256: '', recipe: { kind: 'page' }, withAvif: true }
    await preparer.prepare(picture).then(() => console.log('prepared'))`
  const { said } = await runProgram(program)
  const pid = Number(said)
  expect(pid, said).toBeGreaterThan(0)
  afterThisTest(() => void (running(pid) && process.kill(pid, 'SIGKILL')))
  await expect.poll(() => running(pid), { timeout: 1000 }).toBe(false)
})

test('a photo is read by one child at a time, and its preview is kept for the next request [EVID-04]', async () => {
  let children = 0
  const opened = await open({ onChild: () => void children++ })
  const path = await opened.save('lamp.jpg', quarters(80, 60).jpeg())
  const asked = await Promise.all([1, 2, 3].map(() => opened.readPhoto({ path, sha256: original })))
  expect(asked[0]).toMatchObject({ format: 'jpeg', takenAt: null })
  expect(asked).toEqual([asked[0], asked[0], asked[0]])
  expect(opened.lastPreview(original)).toEqual(asked[0]?.preview)
  expect(opened.lastPreview('b'.repeat(64))).toBeUndefined()
  expect(children).toBe(1)
})

test('a photo whose child hangs or is killed is for later, only a crash is its fault, and at most thirty wait [EVID-02, EVID-04]', async () => {
  const opened = await open(standIn)
  const hasty = await open({ ...standIn, inspectTimeoutMs: 300 })
  const read = (path: string, { readPhoto } = opened) => readPhoto({ path, sha256: path })
  const later = { status: 503, retryAfterSeconds: 30 }
  await expect(read('hangs', hasty)).rejects.toMatchObject(later)
  for (const path of ['is killed', 'disk is full']) await expect(read(path)).rejects.toMatchObject(later)
  await expect(read('crashes')).rejects.toMatchObject({ status: 415 })
  const many = await Promise.allSettled(Array.from({ length: 40 }, () => read('crashes')))
  const statuses = many.map(each => (each.status === 'rejected' ? each.reason.status : 200))
  expect(statuses).toEqual([...Array(31).fill(415), ...Array(9).fill(503)])
}, 60_000)
