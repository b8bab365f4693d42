import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, files, pictureCopies } from '../../../../db/schema.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { pictureMessages } from '../../../domain/content/picture.ts'
import { quarters, secrets, withMetadata } from '../../../testing/build-picture.ts'
import {
  numberedJpeg,
  pictureForm,
  pictureSite,
  publishContent,
  saveDraft,
} from '../../../testing/picture-site.ts'
import { testFolder } from '../../../testing/test-folder.ts'
import { sweepFiles } from '../../kernel/files/stored-file.ts'
import { readArchive } from '../../operations/backup/archive.ts'
import { makeBackup } from '../../operations/backup/make-backup.ts'
import { restoreBackup } from '../../operations/backup/restore.ts'
import type { Preparation } from '../../workers/pictures/picture-preparer.ts'
import { shippedContent } from '../content/shipped-content.ts'
import { pictureExists, requestCopies, unpreparedPictures } from './copies.ts'
import { startMedia } from './prepare-copies.ts'
import { reconcileCopies } from './reconcile-copies.ts'

type Site = Awaited<ReturnType<typeof pictureSite>>
const heroOf = (picture: string, x = 0.3) => ({ ...shippedContent.hero, picture, focal: { x, y: 0 } })
const galleryOf = (...ids: string[]) => ({
  ...shippedContent.gallery,
  pictures: ids.map(picture => ({ picture, caption: 'A', alt: 'A' })),
})
const mediaFiles = ({ deps }: Pick<Site, 'deps'>) => {
  const folder = join(deps.config.uploadsDir, 'media')
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => (entry.isFile() ? [entry.name] : []))
}
const recipes = (site: Site) => site.copies().map(({ recipe, state }) => [recipe, state])
const status = async (site: Site, url: string) => (await site.http.inject(url)).statusCode

test('lists uploads, newest first, with thumbnail and uses in draft and published content, then the shipped pictures', async () => {
  const site = await pictureSite()
  const older = await site.upload(await numberedJpeg(1))
  site.advance(1000)
  const newer = await site.upload(await numberedJpeg(2))
  await publishContent(site, { gallery: galleryOf(older.id, 'hero') })
  await saveDraft(site, { hero: heroOf(older.id) })
  await site.prepareAll()
  const { pictures } = await site.pictures.list()
  expect(pictures.slice(0, 2)).toMatchObject([
    { id: newer.id, usedIn: [], state: 'ready' },
    { id: older.id, usedIn: ['hero', 'gallery'], placeholder: expect.stringMatching(/^data:image/) },
  ])
  expect(await status(site, pictures[1]?.thumbnail ?? '')).toBe(200)
  const shipped = pictures.slice(2)
  expect(shipped.every(picture => picture.shipped && picture.createdAt === null)).toBe(true)
  expect(shipped.map(({ id }) => id)).toContain('02-balcony-ocean')
  expect(shipped.map(({ id }) => id)).not.toContain('hero-tall')
  expect(shipped.find(({ id }) => id === 'hero')).toMatchObject({
    usedIn: ['hero', 'gallery'],
    thumbnail: expect.stringMatching(/^\/pictures\/hero-\w+-960\.webp$/),
  })
  expect((await site.pictures.get({ id: older.id })).picture).toEqual(pictures[1])
  expect((await site.pictures.get({ id: 'hero' })).picture.shipped).toBe(true)
  await expect(site.pictures.get({ id: 'hero-tall' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('serves only the copies of an uploaded picture, and rejects an unusable file with the reason [PIC-03, PIC-04, PIC-08, PIC-09]', async () => {
  const site = await pictureSite({ isReal: true })
  const picture = quarters(900, 600)
  const { id } = await site.upload(await withMetadata(await picture.clone().jpeg().toBuffer(), 6))
  await site.prepareAll()
  await reconcileCopies(site.deps)
  expect((await site.pictures.get({ id })).picture).toMatchObject({ state: 'ready', width: 600, height: 900 })
  const names = mediaFiles(site)
  expect(names.map(name => name.slice(16)).toSorted()).toEqual(
    ['-400.avif', '-400.webp', '-600.avif', '-600.jpg', '-600.webp'].toSorted(),
  )
  for (const name of names) {
    const { rawPayload, statusCode } = await site.http.inject(`/media/${name}`)
    expect(statusCode).toBe(200)
    for (const secret of secrets) expect(rawPayload.includes(secret), name).toBe(false)
  }
  const [original] = site.deps.db.select().from(files).all()
  expect(await status(site, `/media/${original?.storageName}`)).toBe(404)
  const small = await site.send(pictureForm(await quarters(700, 600).png().toBuffer()))
  expect([small.status, small.body.error]).toEqual([400, 'A picture needs at least 800 × 500 pixels.'])
  const broken = (await picture.clone().webp().toBuffer()).subarray(0, 40)
  const refused = await site.send(pictureForm(broken))
  expect([refused.status, refused.body.error]).toEqual([
    400,
    'This picture could not be read. It may be damaged.',
  ])
  expect(site.rows()).toHaveLength(1)
}, 20_000)

test('counts an attempt before it starts, retries a crashed one once without AVIF, then fails; Try Again starts over [PIC-07]', async () => {
  const counted: (number | undefined)[] = []
  let outcome: Preparation = { outcome: 'died', reason: 'killed' }
  const site: Site = await pictureSite({
    prepare: async () => {
      counted.push(site.copies()[0]?.attempts)
      return outcome
    },
  })
  const { id } = await site.upload(await numberedJpeg(1))
  await site.prepareAll()
  expect(counted).toEqual([1, 2])
  expect(site.prepareCalls.map(({ withAvif }) => withAvif)).toEqual([true, false])
  const { picture } = await site.pictures.get({ id })
  expect(picture).toMatchObject({ state: 'failed', fault: 'This picture could not be prepared.' })
  outcome = { outcome: 'unreadable', reason: 'it breaks off' }
  expect((await site.pictures.retry({ id })).picture).toMatchObject({ state: 'processing', fault: null })
  await expect(site.pictures.retry({ id })).rejects.toMatchObject({ code: 'CONFLICT' })
  await site.prepareAll()
  expect(counted).toEqual([1, 2, 1])
  expect((await site.pictures.get({ id })).picture).toMatchObject({
    state: 'failed',
    fault: 'This picture could not be read. It may be damaged.',
  })
  for (const [unknown, code] of [
    ['nowhere', 'NOT_FOUND'],
    ['hero', 'CONFLICT'],
  ] as const)
    await expect(site.pictures.retry({ id: unknown })).rejects.toMatchObject({ code })
})

test('does not retry a picture that crashed the site in both attempts [PIC-07]', async () => {
  const site = await pictureSite()
  const { id } = await site.upload(await numberedJpeg(1))
  await site.deps.write(tx => tx.update(pictureCopies).set({ attempts: 2 }).run())
  await site.prepareAll()
  expect(site.prepareCalls).toEqual([])
  expect((await site.pictures.get({ id })).picture).toMatchObject({
    state: 'failed',
    fault: pictureMessages.notPrepared,
  })
})

test('a full disk or a shutdown does not count as an attempt, and the copies are made after the next start [PIC-07]', async () => {
  let isClosing = true
  const site: Site = await pictureSite({
    prepare: async () => {
      if (isClosing) throw new AppError('unavailable', 'closing')
      return { outcome: 'died', reason: 'killed' }
    },
  })
  await site.upload(await numberedJpeg(1))
  const first = startMedia(site.deps)
  await expect.poll(() => site.prepareCalls).toHaveLength(1)
  await first.stop()
  expect(site.copies()).toMatchObject([{ state: 'processing', attempts: 0 }])
  isClosing = false
  const second = startMedia(site.deps)
  await expect.poll(() => site.prepareCalls).toHaveLength(3)
  await second.stop()
  expect(site.copies()).toMatchObject([{ state: 'failed', attempts: 2 }])
})

test('makes separate hero copies for each focal point, those in use first [PIC-10, PIC-12]', async () => {
  const site = await pictureSite()
  const { id } = await site.upload(await numberedJpeg(1))
  await site.prepareAll()
  await saveDraft(site, { hero: heroOf(id, 0.3) })
  await saveDraft(site, { hero: heroOf(id, 0.35) })
  await reconcileCopies(site.deps)
  const page = ['page', 'ready']
  expect(recipes(site)).toEqual([
    page,
    ...['hero@0.30,0.00', 'social@0.30,0.00', 'hero@0.35,0.00', 'social@0.35,0.00'].map(name => [
      name,
      'processing',
    ]),
  ])
  await site.prepareAll()
  expect(site.prepareCalls.slice(1).map(({ recipe }) => recipe.kind !== 'page' && recipe.focal.x)).toEqual([
    ...[0.35, 0.35, 0.3, 0.3],
  ])
  const before = mediaFiles(site).length
  site.advance(7 * dayMs - 1)
  const unchanged = site.deps.dataVersion()
  await reconcileCopies(site.deps)
  expect([mediaFiles(site).length, site.deps.dataVersion()]).toEqual([before, unchanged])
  site.advance(1)
  await reconcileCopies(site.deps)
  expect(recipes(site)).toEqual([page, ['hero@0.35,0.00', 'ready'], ['social@0.35,0.00', 'ready']])
  expect(mediaFiles(site).length).toBeLessThan(before)
  // Copies for published content stay too, and so do copies that are used again in time.
  await publishContent(site, { hero: heroOf(id, 0.35) })
  await saveDraft(site, { hero: heroOf('hero') })
  await reconcileCopies(site.deps)
  expect(site.copies().map(({ unusedSince }) => unusedSince)).toEqual([null, null, null])
  // Content whose copies nobody requested, for example when an older version is shown.
  await publishContent(site, { hero: heroOf(id, 0.9) })
  await reconcileCopies(site.deps)
  expect(recipes(site).slice(3)).toEqual([
    ['hero@0.90,0.00', 'processing'],
    ['social@0.90,0.00', 'processing'],
  ])
})

test('deletes copies after 7 days without use in draft or published content, and makes them again for content that needs them [PIC-12, PIC-15, SITE-26]', async () => {
  const site: Site = await pictureSite()
  const editor = site.as(site.admin).editor
  const [used, idle] = [await site.upload(await numberedJpeg(1)), await site.upload(await numberedJpeg(2))]
  const stored = async (id: string) => (await site.pictures.get({ id })).picture
  const upkeep = async () => {
    await reconcileCopies(site.deps)
    await site.prepareAll()
  }
  await upkeep()
  const save = (body: unknown, version: number) => editor.saveSection({ section: 'gallery', version, body })
  await save(galleryOf(used.id, idle.id), 0)
  await editor.publish({ revision: 1 })
  await save(galleryOf(used.id), 2)
  await editor.publish({ revision: 3 })
  await saveDraft(site, { hero: heroOf(used.id) })
  await upkeep()
  const address = (await stored(idle.id)).thumbnail ?? ''
  const all = mediaFiles(site).length
  site.advance(7 * dayMs - 1)
  await upkeep()
  expect([mediaFiles(site).length, await status(site, address)]).toEqual([all, 200])
  site.advance(1)
  await upkeep()
  const left = mediaFiles(site)
  expect([left.length < all, await status(site, address)]).toEqual([true, 404])
  // The picture stays in the list with its placeholder; its copies are not made again automatically.
  expect(await stored(idle.id)).toMatchObject({ state: 'ready', thumbnail: null })
  expect((await stored(idle.id)).placeholder).toMatch(/^data:/)
  expect((await stored(used.id)).thumbnail).not.toBeNull()
  const unchanged = site.deps.dataVersion()
  await upkeep()
  expect([mediaFiles(site), site.deps.dataVersion()]).toEqual([left, unchanged])

  // The version that shows the picture can be published once its copies are ready.
  const again = () => editor.publishVersion({ version: 1, published: 2 })
  await expect(again()).rejects.toThrow('A picture is still being prepared. Try again in a minute.')
  expect((await stored(idle.id)).state).toBe('processing')
  await upkeep()
  await again()
  expect((await stored(idle.id)).thumbnail).toBe(address)
  expect(await status(site, address)).toBe(200)
  await upkeep()
  expect(mediaFiles(site)).toHaveLength(all)
})

test('a picture of the arrival information exists, is made again and kept, and cannot be removed [STAY-05]', async () => {
  const site: Site = await pictureSite()
  const { id } = await site.upload(await numberedJpeg(1))
  const upkeep = async () => {
    await reconcileCopies(site.deps)
    await site.prepareAll()
  }
  await upkeep()
  site.advance(7 * dayMs)
  await upkeep()
  const { stays } = site.as(site.admin)
  const save = (picture: string, version: number) =>
    stays.saveSection({ section: 'parking', version, body: { text: 'Lot 4', picture } })
  await expect(save('nothing', 0)).rejects.toThrow('This picture does not exist.')
  await save(id, 0)
  for (let minute = 0; minute < 2; minute++) {
    await upkeep()
    expect((await site.pictures.get({ id })).picture.thumbnail).not.toBeNull()
    site.advance(7 * dayMs)
  }
  await expect(site.pictures.remove({ id })).rejects.toThrow('This picture is in use: Arrival.')
  await stays.saveSection({ section: 'parking', version: 1, body: {} })
  await site.pictures.remove({ id })
})

test('restoring a version or saving a section makes expired copies again, and so does showing older content again [PIC-12, SITE-27]', async () => {
  const site: Site = await pictureSite()
  const editor = site.as(site.admin).editor
  const { id } = await site.upload(await numberedJpeg(1))
  const upkeep = async () => {
    await reconcileCopies(site.deps)
    await site.prepareAll()
  }
  await upkeep()
  const thumbnail = async () => (await site.pictures.get({ id })).picture.thumbnail
  const leaveUnused = async () => {
    await upkeep()
    site.advance(7 * dayMs)
    await upkeep()
    expect(await thumbnail()).toBeNull()
  }
  const gallery = { section: 'gallery', body: galleryOf(id) }
  await editor.saveSection({ ...gallery, version: 0 })
  await editor.publish({ revision: 1 })
  await editor.saveSection({ section: 'gallery', version: 2, body: galleryOf('hero') })
  await editor.publish({ revision: 3 })
  await leaveUnused()
  expect((await editor.restoreVersion({ version: 1 })).missingPictures).toEqual([])
  await site.prepareAll()
  expect(await thumbnail()).not.toBeNull()
  await editor.discardDraft({ revision: 5 })
  await leaveUnused()
  await editor.saveSection({ ...gallery, version: 6 })
  await site.prepareAll()
  expect(await thumbnail()).not.toBeNull()
  await editor.discardSection({ section: 'gallery', version: 7 })
  await leaveUnused()
  // As if the newer content could not be read.
  await publishContent(site, { gallery: galleryOf(id) })
  await upkeep()
  expect(await thumbnail()).not.toBeNull()
})

test('makes missing copies again, deletes files without a picture, and leaves documents alone [PIC-12]', async () => {
  const site = await pictureSite()
  const { id } = await site.upload(await numberedJpeg(1))
  await site.prepareAll()
  const whole = mediaFiles(site)
  const folder = join(site.deps.config.uploadsDir, 'media')
  rmSync(join(folder, whole[0] ?? ''))
  await reconcileCopies(site.deps)
  expect(site.copies()).toMatchObject([{ state: 'processing', cuts: [{ cut: 'whole' }], attempts: 0 }])
  expect((await site.pictures.get({ id })).picture).toMatchObject({
    state: 'processing',
    thumbnail: null,
    placeholder: expect.stringMatching(/^data:/),
  })
  await site.prepareAll()
  expect(mediaFiles(site)).toEqual(whole)
  const stray = whole[0]?.replace(/^\w{16}/, '0123456789abcdef') ?? ''
  writeFileSync(join(folder, stray), 'of a picture that was removed')
  await reconcileCopies(site.deps)
  expect(mediaFiles(site)).toEqual(whole)
  expect(await sweepFiles(site.deps)).toEqual({ orphaned: 0, missing: 0 })
  expect(mediaFiles(site)).toEqual(whole)
})

test('a backup contains the originals but no copies, which are made again after a restore [PIC-12]', async () => {
  const site = await pictureSite()
  const { id } = await site.upload(await numberedJpeg(1))
  await site.prepareAll()
  const folder = testFolder()
  const archive = join(folder, 'backup.tar.gz')
  await makeBackup(site.deps.config, archive, new Date(), () => {})
  const { entries } = await readArchive(archive)
  expect(entries.map(({ name }) => name.split('/')[0])).toEqual(['database.sqlite', 'files'])
  const store = { databaseFile: join(folder, 'new.sqlite'), uploadsDir: join(folder, 'new') }
  await restoreBackup(store, archive, () => {})
  const restored = await pictureSite({
    env: { DATABASE_FILE: store.databaseFile, UPLOADS_DIR: store.uploadsDir },
  })
  const media = startMedia(restored.deps)
  await expect.poll(() => restored.prepareCalls).toHaveLength(1)
  await media.stop()
  expect((await restored.pictures.get({ id })).picture.state).toBe('ready')
  expect(mediaFiles(restored)).toEqual(mediaFiles(site))
})

test('a section accepts existing pictures; publishing waits for their copies and rejects failed ones [PIC-14, PIC-15]', async () => {
  const site: Site = await pictureSite()
  const [one, other] = [await site.upload(await numberedJpeg(1)), await site.upload(await numberedJpeg(2))]
  const { db, write } = site.deps
  const exists = (id: string) => write(tx => pictureExists(tx, id))
  for (const [id, isThere] of [
    ...([one.id, 'hero', '02-balcony-ocean'] as const).map(id => [id, true] as const),
    ...(['hero-tall', 'nowhere', '__proto__', 'constructor', ''] as const).map(id => [id, false] as const),
  ])
    expect([id, await exists(id)]).toEqual([id, isThere])
  const words = { ...shippedContent, hero: heroOf(one.id), gallery: galleryOf('hero', one.id, other.id) }
  const unprepared = () => write(tx => unpreparedPictures(tx, words))
  const waits = { code: 'conflict', message: 'A picture is still being prepared. Try again in a minute.' }
  expect(await write(tx => unpreparedPictures(tx, shippedContent))).toEqual({})
  await site.prepareAll()
  // Nobody has requested the hero copies yet.
  await expect(unprepared()).rejects.toMatchObject(waits)
  await write(tx => requestCopies(tx, words))
  await expect(unprepared()).rejects.toMatchObject(waits)
  await site.prepareAll()
  expect(await unprepared()).toEqual({})
  const fail = (recipe: string, pictureId: string) =>
    write(tx =>
      tx
        .update(pictureCopies)
        .set({ state: 'failed' })
        .where(eq(pictureCopies.hash, hashOf(recipe, pictureId)))
        .run(),
    )
  const hashOf = (recipe: string, pictureId: string) =>
    db
      .select()
      .from(pictureCopies)
      .all()
      .find(row => row.recipe === recipe && row.pictureId === pictureId)?.hash ?? ''
  await fail('social@0.30,0.00', one.id)
  await fail('page', other.id)
  const chooseAnother = 'This picture could not be prepared. Choose another.'
  expect(await unprepared()).toEqual({
    'hero.picture': chooseAnother,
    'gallery.pictures.2.picture': chooseAnother,
  })
})

test('keeps a picture in use; removing another hides it, deletes its copies at once and marks its original as removed [PIC-18]', async () => {
  const site = await pictureSite()
  const content = await numberedJpeg(1)
  const { id } = await site.upload(content)
  await publishContent(site, { gallery: galleryOf(id) })
  await saveDraft(site, { hero: heroOf(id) })
  await site.prepareAll()
  const inUse = { code: 'CONFLICT', message: 'This picture is in use: Welcome, Gallery.' }
  await expect(site.pictures.remove({ id })).rejects.toMatchObject(inUse)
  await saveDraft(site, { hero: heroOf('hero'), gallery: galleryOf('hero') })
  await expect(site.pictures.remove({ id })).rejects.toMatchObject({
    message: 'This picture is in use: Gallery.',
  })
  await publishContent(site, {})
  const addresses = mediaFiles(site).map(name => `/media/${name}`)
  expect(addresses.length).toBeGreaterThan(10)
  expect(await status(site, addresses[0] ?? '')).toBe(200)
  expect(await site.pictures.remove({ id })).toEqual({ message: 'Picture removed' })
  expect(mediaFiles(site)).toEqual([])
  for (const address of addresses) expect(await status(site, address)).toBe(404)
  expect(site.copies()).toEqual([])
  expect((await site.pictures.list()).pictures.every(({ shipped }) => shipped)).toBe(true)
  const file = site.deps.db.select().from(files).get()
  expect(file?.removedAt).toBe('2026-03-04T17:00:00.000Z')
  expect((await site.deps.files.read(file as never)).equals(content)).toBe(true)
  const audit = site.deps.db.select().from(events).where(eq(events.kind, 'picture.removed')).all()
  expect(audit).toMatchObject([{ subjectId: id, detail: { fileId: file?.id } }])
  for (const [gone, code] of [
    [id, 'NOT_FOUND'],
    ['nowhere', 'NOT_FOUND'],
    ['hero', 'CONFLICT'],
  ] as const)
    await expect(site.pictures.remove({ id: gone })).rejects.toMatchObject({ code })
  // Uploading the same bytes then creates a new picture.
  const again = await site.upload(content)
  expect(again.id).not.toBe(id)
  await site.prepareAll()
  expect((await site.pictures.get({ id: again.id })).picture.state).toBe('ready')
})

test('rejects removing a picture that a concurrent transaction has just published [PIC-18]', async () => {
  const site = await pictureSite()
  const { id } = await site.upload(await numberedJpeg(1))
  expect(site.deps.siteContent().version).toBe(0)
  const both = await Promise.allSettled([
    publishContent(site, { gallery: galleryOf(id) }),
    site.pictures.remove({ id }),
  ])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('keeps no copies of a picture that is removed while they are made [PIC-18]', async () => {
  const site: Site = await pictureSite()
  const { id } = await site.upload(await numberedJpeg(1))
  const { prepare } = site.deps.picturePreparer
  site.deps.picturePreparer.prepare = async picture => {
    await site.pictures.remove({ id })
    return prepare(picture)
  }
  await site.prepareAll()
  expect(site.prepareCalls).toHaveLength(1)
  expect(mediaFiles(site)).toEqual([])
  expect(site.copies()).toEqual([])
})
