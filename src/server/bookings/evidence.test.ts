import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { pino } from 'pino'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { depositItems, events, evidence, files } from '../../../db/schema.ts'
import { minuteMs } from '../../domain/common/durations.ts'
import { AppError } from '../../domain/common/errors.ts'
import { datedJpeg, type EvidenceSite, evidenceSite, takenAt } from '../../testing/build-evidence.ts'
import { dated } from '../../testing/build-exif.ts'
import { green, quarters, secrets, yellow } from '../../testing/build-picture.ts'
import { pictureForm } from '../../testing/picture-site.ts'
import { chunk } from '../../testing/png.ts'
import { testNow, testOrigin } from '../../testing/test-app.ts'
import { sweepFiles } from '../kernel/files/stored-file.ts'
import { sha256 } from '../lib/sha256.ts'
import { addItemPhoto } from '../money/deposits/items.ts'
import { verifyStore } from '../operations/backup/verify.ts'
import { findDamaged, listEvidence, readEvidence, removeEvidence } from './evidence.ts'

const conflict = (message: string) => ({ code: 'conflict', message })
const inDocument = conflict('This photo is part of a document.')
const notFound = { code: 'not_found', message: 'Photo not found' }
const unreadable = {
  code: 'unsupported_type',
  message: 'This file could not be read. Please choose a JPEG or PNG of at most 50 megapixels.',
}
const storedNames = ({ deps }: EvidenceSite) =>
  readdirSync(deps.config.uploadsDir).filter(name => name.length === 48)
const eventsOf = ({ deps }: EvidenceSite, kind: string) =>
  deps.db.select().from(events).where(eq(events.kind, kind)).all()
const verify = ({ deps }: EvidenceSite) => verifyStore(deps.config, () => {})

/** A PNG that says that it has this size, with these bytes as its pixels. */
function png(width: number, height: number, pixels: Buffer, ...extra: Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0], 8)
  const start = Buffer.from('89504e470d0a1a0a', 'hex')
  const end = [chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([start, chunk('IHDR', header), ...extra, ...end])
}

test('a photo is kept as it came, with its hash, the time of its last byte, and who sent it from where [EVID-01, EVID-03, EVID-08]', async () => {
  const site = await evidenceSite({ isReal: true })
  const content = await datedJpeg(1)
  // Neither when its first byte came nor when it was stored.
  async function* slowly() {
    yield content.subarray(0, 1000)
    site.advance(minuteMs)
    yield content.subarray(1000)
  }
  const receivedAt = '2026-03-04T17:01:00.000Z'
  const { readPhoto } = site.deps.picturePreparer
  site.deps.picturePreparer.readPhoto = photo => {
    site.advance(minuteMs)
    return readPhoto(photo)
  }
  const upload = { name: '../C:\\beach "1".html', source: slowly() }
  const of = { itemId: site.itemId, requestId: 'request' }
  const { photoId: id } = await addItemPhoto(site.deps, site.admin, of, upload)
  expect(site.rows()).toEqual([
    {
      id,
      applicationId: site.applicationId,
      subject: 'deposit_item',
      subjectId: site.itemId,
      part: '',
      fileId: expect.any(String),
      sha256: sha256(content),
      receivedAt,
      takenAt,
      screen: 'application',
      actorRole: 'admin',
      actorId: site.admin.userId,
      ...testOrigin,
      clockDoubtful: false,
      requestId: 'request',
      removedAt: null,
      removedBy: null,
    },
  ])
  expect(readFileSync(site.pathOf(id)).equals(content)).toBe(true)
  expect(site.deps.db.select().from(files).all()).toMatchObject([
    { originalName: 'beach -1-.jpg', contentType: 'image/jpeg', sizeBytes: content.length },
  ])
  expect(eventsOf(site, 'evidence.added')).toMatchObject([
    { subjectId: id, actorId: site.admin.userId, detail: { sha256: sha256(content), receivedAt } },
  ])
})

test.each<[what: string, file: () => Buffer | Promise<Buffer>]>([
  ['HTML named .jpg', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['a WebP', () => quarters(80, 60).webp().toBuffer()],
  ['a PDF', () => Buffer.from('%PDF-1.4\n%%EOF')],
  ['a JPEG that is cut off', async () => (await datedJpeg(1)).subarray(0, 6000)],
  ['a PNG that says it has 50 GB', () => png(100_000, 500_000, Buffer.alloc(1000))],
  ['a PNG of 51 million pixels', () => png(7200, 7084, Buffer.alloc(7201 * 7084))],
  ['a PNG with less than it says', () => png(100, 100, Buffer.alloc(1000))],
])('%s is refused, and nothing of it stays [EVID-02]', async (_, file) => {
  const site = await evidenceSite({ isReal: true })
  await expect(site.add(await file())).rejects.toMatchObject(unreadable)
  expect(site.rows()).toEqual([])
  expect(storedNames(site)).toEqual([])
})

test('a PNG of 50 million pixels, and one whose EXIF has a megabyte, are kept [EVID-02, EVID-03]', async () => {
  const site = await evidenceSite({ isReal: true })
  const exif = Buffer.concat([dated('9999:12:31 23:59:59').subarray(6), Buffer.alloc(1_048_576)])
  await site.add(png(7000, 7000, Buffer.alloc(7001 * 7000)))
  await site.add(png(10, 10, Buffer.alloc(110), chunk('eXIf', exif)))
  expect(site.rows().map(row => row.takenAt)).toEqual([null, '9999-12-31T23:59:59'])
}, 60_000)

test('an empty file is 400, and one byte more than 10485760 are 413 [EVID-02]', async () => {
  const site = await evidenceSite()
  await expect(site.add(Buffer.alloc(0))).rejects.toMatchObject({ code: 'bad_request' })
  await expect(site.add(Buffer.alloc(10_485_761))).rejects.toMatchObject({ code: 'too_large' })
  await site.add(Buffer.alloc(10_485_760))
  expect(storedNames(site)).toHaveLength(1)
})

test('an item has at most ten photos, also when two come at once, and those that were set aside do not count [DEP-18, EVID-02]', async () => {
  const site = await evidenceSite()
  const add = (number: number) => site.add(Buffer.from([number]))
  for (let i = 0; i < 9; i++) await add(i)
  const both = await Promise.allSettled([add(10), add(11)])
  const full = conflict('An item can have 10 photos.')
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(add(12)).rejects.toMatchObject(full)
  // What is there is answered again.
  expect(await add(3)).toBe(site.rows()[3]?.id)
  await removeEvidence(site.deps, site.admin, site.rows()[0]?.id ?? '')
  await add(12)
  expect(storedNames(site)).toHaveLength(11)
  await expect(add(13)).rejects.toMatchObject(full)
})

test('an application has at most 600 photos [EVID-02]', async () => {
  const site = await evidenceSite()
  const first = await site.add(Buffer.from('0'))
  const [row] = site.rows()
  if (!row) throw new Error('no photo')
  await site.deps.write(tx => {
    for (let i = 1; i < 600; i++)
      tx.insert(evidence)
        .values({ ...row, id: randomUUID(), requestId: randomUUID(), subjectId: `item-${i}` })
        .run()
  })
  const itemId = await site.addItem()
  const full = conflict('This stay has 600 photos already.')
  await expect(site.add(Buffer.from('1'), { itemId })).rejects.toMatchObject(full)
  await removeEvidence(site.deps, site.admin, first)
  await site.add(Buffer.from('1'), { itemId })
})

test('the same request, and the same bytes again, are one row and one file, also at once [EVID-06]', async () => {
  const site = await evidenceSite()
  const requestId = randomUUID()
  const atOnce = (more?: { requestId: string }) =>
    Promise.all([1, 2, 3].map(() => site.add(Buffer.from('one'), more)))
  const [id, ...others] = await atOnce({ requestId })
  expect([...others, ...(await atOnce())]).toEqual(Array(5).fill(id))
  expect(await site.add(Buffer.from('another'), { requestId })).toBe(id)
  expect(await site.add(Buffer.from('one'))).toBe(id)
  expect([site.rows(), storedNames(site), eventsOf(site, 'evidence.added')].map(all => all.length)).toEqual([
    1, 1, 1,
  ])
  // For another item it is another photo, and so is one that was set aside.
  const itemId = await site.addItem()
  expect(await site.add(Buffer.from('one'), { itemId, requestId })).not.toBe(id)
  await removeEvidence(site.deps, site.admin, id ?? '')
  const again = await atOnce()
  expect(again).toEqual(Array(3).fill(again[0]))
  expect(again).not.toContain(id)
})

test('a photo that is set aside keeps row, file and hash, and an event says who and when [EVID-05, EVID-08]', async () => {
  const site = await evidenceSite()
  const id = await site.add(Buffer.from('one'))
  const [before] = site.rows()
  const removed = await site.as(site.admin).evidence.remove({ evidenceId: id })
  expect(removed).toEqual({ message: 'Photo removed' })
  expect(site.rows()).toEqual([{ ...before, removedAt: testNow, removedBy: site.admin.userId }])
  expect(readFileSync(site.pathOf(id), 'utf8')).toBe('one')
  expect(await sweepFiles(site.deps)).toEqual({ orphaned: 0, missing: 0 })
  expect(listEvidence(site.deps.db, [site.itemId])).toEqual([])
  await expect(readEvidence(site.deps, site.admin, id)).rejects.toMatchObject(notFound)
  const remove = () => removeEvidence(site.deps, site.admin, id)
  await expect(remove()).rejects.toMatchObject(notFound)
  expect(eventsOf(site, 'evidence.removed')).toMatchObject([
    { subjectId: id, actorId: site.admin.userId, at: testNow, detail: { sha256: before?.sha256 } },
  ])
})

test('an item that is kept gets and loses no photo [EVID-05]', async () => {
  const site = await evidenceSite()
  const id = await site.add(Buffer.from('one'))
  await site.deps.write(tx => tx.update(depositItems).set({ keptAt: testNow }).run())
  const kept = conflict('This item is kept and does not change.')
  await expect(site.add(Buffer.from('two'))).rejects.toMatchObject(kept)
  await expect(removeEvidence(site.deps, site.admin, id)).rejects.toMatchObject(kept)
  expect(await site.add(Buffer.from('one'))).toBe(id)
})

test('deleting an application removes no photo: the owner has it, and the tenant no more [EVID-05, EVID-08]', async () => {
  const site = await evidenceSite()
  const id = await site.add(Buffer.from('one'))
  await site.addDocument('statement')
  await site.as(site.admin).applications.adminDelete({ id: site.applicationId })
  const { content } = await readEvidence(site.deps, site.admin, id)
  expect(await text(content as Readable)).toBe('one')
  await expect(readEvidence(site.deps, site.tenant, id)).rejects.toMatchObject(notFound)
  expect(site.rows()).toHaveLength(1)
})

const paths = (id: string) => [`/api/evidence/${id}`, `/api/deposit/photo/${id}`]
test('a tenant gets a photo once a statement names it, another tenant 404, a guest 401, a tenant on the owner’s paths 403 [EVID-08]', async () => {
  const site = await evidenceSite({ isReal: true })
  const content = await datedJpeg(1)
  const id = await site.add(content)
  const statuses = async (method: string, all: string[]) => {
    const asked = all.flatMap(path =>
      (['guest', 'tenant', 'other', 'admin'] as const).map(
        async who => (await site.call(who, method, path)).status,
      ),
    )
    return Promise.all(asked)
  }
  expect(await statuses('GET', paths(id))).toEqual([401, 404, 404, 200, 401, 404, 404, 200])
  // A letter is not sent yet.
  await site.addDocument('letter')
  expect(await statuses('GET', paths(id))).toEqual([401, 404, 404, 200, 401, 404, 404, 200])
  await site.addDocument('statement')
  expect(await statuses('GET', paths(id))).toEqual([401, 200, 404, 200, 401, 200, 404, 200])
  expect(await statuses('GET', paths('unknown'))).toEqual([401, 404, 404, 404, 401, 404, 404, 404])
  expect(await statuses('GET', [`${paths(id)[0]}?preview=2`])).toEqual([401, 400, 400, 400])
  const owners = [`/api/evidence/admin/${id}`]
  expect(await statuses('DELETE', owners)).toEqual([401, 403, 403, 409])
  const upload = `/api/deposit/admin/item/${site.itemId}/photo`
  expect(await statuses('POST', [upload])).toEqual([401, 403, 403, 400])

  const response = await site.call('tenant', 'GET', `/api/evidence/${id}`)
  expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'content-disposition': `attachment; filename="lamp.jpg"; filename*=UTF-8''lamp.jpg`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
    'cache-control': 'no-store',
  })
})

test('takes a form with the request before or after the photo, and refuses others [EVID-02, EVID-06]', async () => {
  const site = await evidenceSite({ isReal: true })
  const requestId = randomUUID()
  const send = async (form: FormData, itemId = site.itemId) => {
    const response = await site.call('admin', 'POST', `/api/deposit/admin/item/${itemId}/photo`, form)
    return { status: response.status, body: await response.json() }
  }
  const photo = await datedJpeg(1)
  const after = pictureForm(photo, 'lamp.jpg', 'photo')
  after.set('requestId', requestId)
  const before = new FormData()
  before.set('requestId', requestId)
  before.set('photo', pictureForm(photo, 'lamp.jpg', 'photo').get('photo') ?? '')
  const sent = await send(after)
  const photoId = site.rows()[0]?.id
  const deposit = { items: [{ id: site.itemId, photos: [{ id: photoId, sha256: sha256(photo), takenAt }] }] }
  expect(sent).toMatchObject({ status: 201, body: { photoId, deposit } })
  expect(await send(before)).toEqual(sent)
  expect(site.rows().map(row => [row.requestId, row.address])).toEqual([[requestId, '127.0.0.1']])
  before.set('requestId', 'none')
  const form = (content: Uint8Array) => pictureForm(content, 'lamp.jpg', 'photo')
  const without = new FormData()
  without.set('requestId', requestId)
  const statuses = [
    await send(before),
    await send(without),
    await send(form(Buffer.alloc(0))),
    await send(form(Buffer.from('<html>'))),
    await send(form(Buffer.alloc(10_485_761))),
    await send(form(photo), 'unknown'),
  ].map(({ status }) => status)
  expect(statuses).toEqual([400, 400, 400, 415, 413, 404])
  expect(site.rows()).toHaveLength(1)
})

test('the preview is upright, at most 1,600 pixels a side and without metadata; the place is in no log or answer [EVID-04]', async () => {
  const site = await evidenceSite({ isReal: true })
  const lines: string[] = []
  site.deps.log = pino({ level: 'trace' }, { write: line => void lines.push(line) })
  const original = await datedJpeg(1)
  const planted = [...secrets.filter(secret => original.includes(secret)), 'Exif', 'GPS', 'xmpmeta']
  expect(planted.length).toBeGreaterThan(3)
  const id = await site.add(original)
  const small = await site.add(await quarters(40, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer())
  await site.addDocument('statement')
  const ask = async (path: string) => {
    const response = await site.call('tenant', 'GET', path)
    return { type: response.headers.get('content-type'), body: Buffer.from(await response.arrayBuffer()) }
  }
  const [preview, again] = [
    await ask(`/api/evidence/${id}?preview=1`),
    await ask(`/api/deposit/photo/${id}?preview=1`),
  ]
  expect(again).toEqual(preview)
  expect(preview.type).toBe('image/jpeg')
  const { exif, height, icc, orientation, width, xmp } = await sharp(preview.body).metadata()
  expect({ exif, height, icc, orientation, width, xmp }).toEqual({
    exif: undefined,
    icc: undefined,
    orientation: undefined,
    xmp: undefined,
    width: 800,
    height: 1600,
  })
  // Turned to the right: yellow is below blue, and green is right of it.
  const { data, info } = await sharp(preview.body).raw().toBuffer({ resolveWithObject: true })
  for (const [x, color] of [
    [100, yellow],
    [700, green],
  ] as const) {
    const at = (1500 * info.width + x) * info.channels
    for (const [i, value] of color.entries()) expect(Math.abs((data[at + i] ?? 0) - value)).toBeLessThan(20)
  }
  // A smaller photo is not made larger.
  const { body } = await ask(`/api/evidence/${small}?preview=1`)
  expect(await sharp(body).metadata()).toMatchObject({ width: 30, height: 40 })

  const trail = JSON.stringify([site.rows(), site.deps.db.select().from(events).all()])
  for (const secret of planted)
    for (const shown of [preview.body, Buffer.from(trail), Buffer.from(lines.join('\n'))])
      expect(shown.includes(secret), secret).toBe(false)
})

test('a preview that cannot be made is 503 with the time to wait, and the photo itself is there [EVID-04]', async () => {
  const site = await evidenceSite()
  const id = await site.add(Buffer.from('one'))
  for (const code of ['unavailable', 'unsupported_type'] as const) {
    site.deps.picturePreparer.readPhoto = async () => {
      throw new AppError(code, 'The photo cannot be read.', { retryAfterSeconds: 60 })
    }
    const response = await site.call('admin', 'GET', `/api/evidence/${id}?preview=1`)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60'])
  }
  expect((await site.call('admin', 'GET', `/api/evidence/${id}`)).status).toBe(200)
})

test('a person can have 300 previews made in ten minutes [EVID-04]', async () => {
  const site = await evidenceSite()
  const id = await site.add(Buffer.from('one'))
  for (let i = 1; i < 300; i++) await site.deps.limits.consume('previewByUser', site.admin.userId)
  const preview = () => readEvidence(site.deps, site.admin, id, true)
  await preview()
  await expect(preview()).rejects.toMatchObject({ code: 'too_many' })
  // One that was made lately is not counted.
  site.deps.picturePreparer.lastPreview = () => Buffer.from('preview')
  await preview()
})

test('after 2,000 previews in ten minutes a person gets no more, not even cached ones, and no photo is read [EVID-04]', async () => {
  const site = await evidenceSite()
  const id = await site.add(Buffer.from('one'))
  site.deps.picturePreparer.lastPreview = () => Buffer.from('preview')
  for (let i = 1; i < 2000; i++) await site.deps.limits.consume('previewReadByUser', site.admin.userId)
  const preview = () => readEvidence(site.deps, site.admin, id, true)
  await preview()
  writeFileSync(site.pathOf(id), 'onE')
  await expect(preview()).rejects.toMatchObject({ code: 'too_many' })
})

test('two photos keep their times when the clock is set back a day between them; the second is marked [EVID-03, EVID-07]', async () => {
  const site = await evidenceSite()
  const day = 86_400_000
  await site.add(Buffer.from('one'))
  site.advance(-day)
  await site.add(Buffer.from('two'))
  await site.add(Buffer.from('three'))
  const earlier = new Date(Date.parse(testNow) - day).toISOString()
  expect(site.rows().map(row => [row.receivedAt, row.clockDoubtful])).toEqual([
    [testNow, false],
    [earlier, true],
    // What was recorded since shows that the clock was set right.
    [earlier, false],
  ])
  const listed = listEvidence(site.deps.db, [site.itemId])
  expect(listed.map(row => row.id)).toEqual(site.rows().map(row => row.id))
})

test('a damaged or missing file is 409 and on the notice board, and keeps row and hash [EVID-07]', async () => {
  const site = await evidenceSite()
  const [changed, missing] = [await site.add(Buffer.from('one')), await site.add(Buffer.from('two'))]
  const whole = await site.add(Buffer.from('three'))
  const before = site.rows()
  writeFileSync(site.pathOf(changed), 'onE')
  rmSync(site.pathOf(missing))
  for (const id of [changed, missing])
    for (const path of paths(id)) {
      const answers = [
        await site.call('admin', 'GET', path),
        await site.call('admin', 'GET', `${path}?preview=1`),
      ]
      for (const answer of answers) {
        expect(answer.status).toBe(409)
        expect(await answer.json()).toMatchObject({
          error: 'This file is damaged or missing. The owner has been told.',
        })
      }
    }
  expect((await site.call('admin', 'GET', `/api/evidence/${whole}`)).status).toBe(200)
  expect(site.rows()).toEqual(before)
  const { notices } = await site.as(site.admin).notices.list()
  const title = expect.stringMatching(/^A photo of APP-2026-\d+ is damaged or missing$/)
  const action = { kind: 'application', applicationId: site.applicationId }
  const found = notices.filter(({ id }) => id.startsWith('file-'))
  expect(found).toMatchObject([
    { title, action },
    { title, action },
  ])

  expect(await findDamaged(site.deps, listEvidence(site.deps.db, [site.itemId]))).toEqual(
    new Set([changed, missing]),
  )
})

test('removing a photo from the disk right after its check does not crash the process [EVID-07]', async () => {
  const site = await evidenceSite()
  const id = await site.add(Buffer.from('one'))
  const late: unknown[] = []
  const listener = (error: unknown) => late.push(error)
  process.on('uncaughtException', listener)
  onTestFinished(() => void process.off('uncaughtException', listener))
  expect(await findDamaged(site.deps, listEvidence(site.deps.db, [site.itemId]))).toEqual(new Set())
  rmSync(site.pathOf(id))
  await setTimeout(20)
  expect(late).toEqual([])
})

test('verify finds photos whose file or hash differs [EVID-07]', async () => {
  const site = await evidenceSite()
  const ids: string[] = []
  for (const text of ['one', 'two', 'three', 'four']) ids.push(await site.add(Buffer.from(text)))
  const faults = async () => (await verify(site)).faults
  const [changed = '', missing = '', otherHash = ''] = ids
  await removeEvidence(site.deps, site.admin, missing)
  expect(await faults()).toEqual([])
  writeFileSync(site.pathOf(changed), 'onE')
  rmSync(site.pathOf(missing))
  const rehash = { sha256: sha256('something else') }
  await site.deps.write(tx => tx.update(evidence).set(rehash).where(eq(evidence.id, otherHash)).run())
  expect(await faults()).toEqual([
    `1 photos kept as evidence whose hash is not their file’s: ${otherHash}`,
    expect.stringMatching(/^The stored file "lamp.jpg" \(.+\) is damaged\.$/),
    expect.stringMatching(/^The stored file "lamp.jpg" \(.+\) is missing\.$/),
  ])
})

test('any uploads, removals and documents keep every hash equal to its bytes, and remove nothing that is named [EVID-01, EVID-05, EVID-06]', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), bytes: fc.nat(5), item: fc.nat(1) }),
    fc.record({ do: fc.constant('remove' as const), row: fc.nat(9) }),
    fc.record({ do: fc.constantFrom('statement', 'letter'), item: fc.nat(1) }),
  )
  const rounds = fc.array(step, { minLength: 5, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(rounds, async steps => {
      const site = await evidenceSite()
      const items = [site.itemId, await site.addItem()]
      const named = new Set<string>()
      for (const each of steps) {
        if (each.do === 'add')
          await site.add(Buffer.from(`photo ${each.bytes}`), { itemId: items[each.item] ?? '' })
        else if (each.do === 'remove') {
          const id = site.rows()[each.row]?.id ?? 'unknown'
          const removal = removeEvidence(site.deps, site.admin, id)
          if (named.has(id)) await expect(removal).rejects.toMatchObject(inDocument)
          else await removal.catch(() => {})
        } else {
          const itemId = items[each.item] ?? ''
          await site.addDocument(each.do as 'letter' | 'statement', itemId)
          for (const row of listEvidence(site.deps.db, [itemId])) named.add(row.id)
        }
      }
      for (const row of site.rows()) {
        expect(sha256(readFileSync(site.pathOf(row.id)))).toBe(row.sha256)
        if (named.has(row.id)) expect(row.removedAt).toBeNull()
      }
      const live = site.rows().filter(row => row.removedAt === null)
      expect(new Set(live.map(row => `${row.subjectId} ${row.sha256}`)).size).toBe(live.length)
      expect((await verify(site)).faults).toEqual([])
    }),
    { numRuns: 10 },
  )
}, 60_000)
