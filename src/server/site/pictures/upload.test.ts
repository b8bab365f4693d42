import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, files, pictures, sessions } from '../../../../db/schema.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { maxPictureBytes, type PictureHeader, pictureMessages } from '../../../domain/content/picture.ts'
import { tokenOf } from '../../../testing/build-lease.ts'
import { everyRow } from '../../../testing/every-row.ts'
import { numberedJpeg, pictureForm, pictureSite } from '../../../testing/picture-site.ts'
import { sha256 } from '../../lib/sha256.ts'

type Site = Awaited<ReturnType<typeof pictureSite>>

/** Names of all files in the uploads folder, except the store's own file. */
const storedIn = ({ deps }: Site) =>
  readdirSync(deps.config.uploadsDir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== 'store-id')
    .map(({ name }) => name)

async function refused(site: Site, form: FormData, token?: string) {
  const [before, stored] = [everyRow(site), storedIn(site)]
  const { body, status } = await site.send(form, token)
  expect([everyRow(site), storedIn(site)]).toEqual([before, stored])
  return [status, body.error]
}

test("stores an admin's upload unchanged under a safe name, and queues its copies [PIC-01, PIC-02]", async () => {
  const site = await pictureSite()
  const content = await numberedJpeg(1)
  const { body, status } = await site.send(pictureForm(content, '../Beach \u202egpj.exe'))
  expect(status).toBe(201)
  const { id } = body.picture
  expect(body).toEqual({
    picture: {
      _id: id,
      id,
      name: 'Beach gpj.jpg',
      width: 1600,
      height: 1200,
      state: 'processing',
      fault: null,
      shipped: false,
      usedIn: [],
      thumbnail: null,
      placeholder: null,
      createdAt: '2026-03-04T17:00:00.000Z',
    },
  })
  const [row] = site.rows()
  const file = site.deps.db.select().from(files).get()
  expect(row).toMatchObject({ id, fileId: file?.id, sha256: sha256(content), createdBy: site.admin.userId })
  expect(file).toMatchObject({ contentType: 'image/jpeg', sizeBytes: content.length })
  expect(storedIn(site)).toEqual([file?.storageName])
  expect(site.copies()).toMatchObject([{ pictureId: id, recipe: 'page', state: 'processing', attempts: 0 }])
  const audit = site.deps.db.select().from(events).where(eq(events.kind, 'picture.uploaded')).all()
  expect(audit).toMatchObject([{ subjectId: id, actorId: site.admin.userId }])
})

test('the same bytes, sent again or concurrently, make one picture and one file, with status 200 [PIC-05]', async () => {
  const site = await pictureSite()
  const form = async () => pictureForm(await numberedJpeg(1), 'again.jpg')
  const atOnce = await Promise.all([site.send(await form()), site.send(await form())])
  const later = await site.send(await form())
  expect([...atOnce, later].map(({ status }) => status).toSorted()).toEqual([200, 200, 201])
  expect(new Set([...atOnce, later].map(({ body }) => body.picture.id)).size).toBe(1)
  expect(site.rows()).toHaveLength(1)
  expect(storedIn(site)).toHaveLength(1)
})

test('changes nothing for a sender who is not an administrator, and for no picture, an oversized one or too many requests [PIC-02, PIC-05, LTEXT-11]', async () => {
  const site = await pictureSite()
  const jpeg = await numberedJpeg(1)
  const tenant = await tokenOf(site, await site.makeTenant())
  expect(await refused(site, pictureForm(jpeg), 'a'.repeat(40))).toEqual([401, 'Please log in to continue.'])
  expect(await refused(site, pictureForm(jpeg), tenant)).toEqual([
    403,
    'Access denied. Admin credentials required.',
  ])
  const bare = new FormData()
  bare.set('name', 'no file')
  expect(await refused(site, bare)).toEqual([400, 'Please choose a picture.'])
  expect(await refused(site, pictureForm(new Uint8Array()))).toEqual([400, 'Please choose a picture.'])
  expect(await refused(site, pictureForm(Buffer.from('<svg/>'), 'a.jpg'))).toEqual([
    415,
    'Please upload a JPEG, PNG or WebP picture.',
  ])
  const large = Buffer.concat([jpeg, Buffer.alloc(maxPictureBytes + 1 - jpeg.length)])
  expect(await refused(site, pictureForm(large))).toEqual([413, 'A picture can be at most 20 MB.'])
  expect(await sendChunked(site, large)).toEqual([413, 'A picture can be at most 20 MB.'])
  for (let used = 0; used < 120; used++)
    await site.deps.limits.consume('pictureByUser', site.admin.userId).catch(() => {})
  const [status] = await refused(site, pictureForm(jpeg))
  expect(status).toBe(429)
  expect(storedIn(site)).toEqual([])
})

test('accepts exactly 20 MB [PIC-02]', async () => {
  const site = await pictureSite()
  const jpeg = await numberedJpeg(1)
  const { status } = await site.send(
    pictureForm(Buffer.concat([jpeg, Buffer.alloc(maxPictureBytes - jpeg.length)])),
  )
  expect([status, site.deps.db.select().from(files).get()?.sizeBytes]).toEqual([201, 20_971_520])
})

test('leaves no file for an unusable picture, a 101st picture, also at once, or a sender who was logged out meanwhile [PIC-03, PIC-04, PIC-05]', async () => {
  let looking = async (): Promise<PictureHeader> => {
    throw new AppError('bad_request', pictureMessages.tooNarrow)
  }
  const site = await pictureSite({ inspect: () => looking() })
  expect(await refused(site, pictureForm(await numberedJpeg(1)))).toEqual([
    400,
    'This picture is too long and narrow.',
  ])
  const add = (from: number, to: number) =>
    site.deps.write(tx => {
      for (let at = from; at < to; at++)
        tx.insert(pictures)
          .values({
            id: `p${at}`,
            name: 'a.jpg',
            width: 900,
            height: 600,
            sha256: `${at}`,
            state: 'ready',
            createdAt: '2026-03-04T17:00:00.000Z',
            createdBy: site.admin.userId,
          })
          .run()
    })
  await add(0, 99)
  looking = async () => {
    await add(99, 100)
    return { width: 900, height: 600, isBaseline: true }
  }
  const { status } = await site.send(pictureForm(await numberedJpeg(2)))
  expect([status, site.rows().length, storedIn(site)]).toEqual([409, 100, []])
  expect(await refused(site, pictureForm(await numberedJpeg(2)))).toEqual([
    409,
    pictureMessages.tooManyPictures,
  ])
  await site.deps.write(tx => tx.delete(pictures).where(eq(pictures.id, 'p7')).run())
  looking = async () => {
    await site.deps.write(tx => tx.delete(sessions).run())
    return { width: 900, height: 600, isBaseline: true }
  }
  expect((await site.send(pictureForm(await numberedJpeg(3)))).status).toBe(401)
  expect(storedIn(site)).toEqual([])
})

test('accepts two concurrent uploads of one person and asks the third to try again later [PIC-05]', async () => {
  const gate = Promise.withResolvers<void>()
  let waiting = 0
  const site = await pictureSite({
    inspect: async () => {
      waiting++
      await gate.promise
      return { width: 900, height: 600, isBaseline: true }
    },
  })
  const uploads = [1, 2].map(async number => site.send(pictureForm(await numberedJpeg(number))))
  await expect.poll(() => waiting).toBe(2)
  const { body, status } = await site.send(pictureForm(await numberedJpeg(4)))
  expect([status, body.error]).toEqual([503, pictureMessages.tooManyUploads])
  gate.resolve()
  expect((await Promise.all(uploads)).map(upload => upload.status)).toEqual([201, 201])
})

/** A form without Content-Length. */
async function sendChunked(site: Site, content: Uint8Array) {
  const { port } = (await site.fastify()).server.address() as { port: number }
  const request = httpRequest({
    port,
    path: '/api/picture/admin',
    method: 'POST',
    headers: {
      authorization: `Bearer ${site.token}`,
      'content-type': 'multipart/form-data; boundary=b',
      'transfer-encoding': 'chunked',
    },
  })
  const head = '--b\r\ncontent-disposition: form-data; name="picture"; filename="a.jpg"\r\n\r\n'
  request.end(Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const { error } = JSON.parse(Buffer.concat(await response.toArray()).toString())
  return [response.statusCode, error]
}
