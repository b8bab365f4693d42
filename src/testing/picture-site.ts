import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { contentSections, contentVersions, pictureCopies, pictures } from '../../db/schema.ts'
import type { SignedIn } from '../domain/accounts/access.ts'
import { type ContentDocument, contentSchema, type SectionName } from '../domain/content/content.ts'
import {
  type CopyFormat,
  copyTypes,
  cutPlansOf,
  type PictureCut,
  type PictureHeader,
} from '../domain/content/picture.ts'
import type { Environment } from '../server/kernel/config.ts'
import { sha256 } from '../server/lib/sha256.ts'
import { shippedContent } from '../server/site/content/shipped-content.ts'
import { requestCopies } from '../server/site/pictures/copies.ts'
import { prepareNext } from '../server/site/pictures/prepare-copies.ts'
import { copyPath } from '../server/workers/pictures/media-folder.ts'
import {
  createPicturePreparer,
  hashesOf,
  type PicturePreparer,
  type Preparation,
  type PreparePicture,
} from '../server/workers/pictures/picture-preparer.ts'
import { tokenOf } from './build-lease.ts'
import { quarters } from './build-picture.ts'
import { testApp, testNow } from './test-app.ts'
import { testFolder } from './test-folder.ts'

type Prepare = (picture: PreparePicture) => Promise<Preparation>
type Options = {
  /** Replaces the work of the child process. */
  inspect?: () => Promise<PictureHeader>
  prepare?: Prepare
  /** Uses the real child process. */
  isReal?: boolean
  env?: Environment
}

const header = { width: 1600, height: 1200, isBaseline: true }

/** Accepts every picture and writes copies of a few bytes immediately, without a child process. */
export const quickPreparer = (uploadsDir: string): PicturePreparer => ({
  inspect: async () => header,
  prepare: async picture => ({ outcome: 'made', cuts: writeCuts(uploadsDir, picture), peakMib: 1 }),
  readPhoto: async () => ({
    format: 'jpeg',
    takenAt: null,
    preview: Buffer.from('preview'),
    thumbnail: await quarters(4, 3).jpeg().toBuffer(),
  }),
  lastPreview: () => undefined,
  close: async () => {},
})

/** A site with an administrator and a `quickPreparer`. */
export async function pictureSite({ env, inspect, isReal, prepare }: Options = {}) {
  const prepareCalls: PreparePicture[] = []
  const folder = testFolder()
  const uploadsDir = env?.UPLOADS_DIR ?? join(folder, 'uploads')
  const defaultPreparer = isReal
    ? createPicturePreparer({ uploadsDir, isLowPriority: false })
    : quickPreparer(uploadsDir)
  const picturePreparer: PicturePreparer = {
    ...defaultPreparer,
    ...(inspect && { inspect }),
    prepare: picture => {
      prepareCalls.push(picture)
      return (prepare ?? defaultPreparer.prepare)(picture)
    },
  }
  const app = await testApp({
    replace: { picturePreparer },
    env: { ...env, UPLOADS_DIR: uploadsDir },
  })
  const admin = await app.makeAdmin()
  const token = await tokenOf(app, admin)
  let url: string | undefined
  const send = async (body: FormData, bearer: string | undefined = token) => {
    url ??= await app.listen()
    const headers = bearer ? { authorization: `Bearer ${bearer}` } : undefined
    const response = await fetch(`${url}/api/picture/admin`, {
      method: 'POST',
      body,
      ...(headers && { headers }),
    })
    return { status: response.status, body: await response.json() }
  }
  const { db } = app.deps
  return {
    ...app,
    admin,
    token,
    pictures: app.as(admin).pictures,
    /** The calls to `prepare`, in order. */
    prepareCalls,
    send,
    upload: async (content: Uint8Array, name = 'beach.jpg') =>
      (await send(pictureForm(content, name))).body.picture,
    rows: () => db.select().from(pictures).all(),
    copies: () => db.select().from(pictureCopies).all(),
    /** Makes all queued copies. */
    prepareAll: async () => {
      while (await prepareNext(app.deps));
    },
  }
}

export function pictureForm(content: Uint8Array, name = 'beach.jpg', field = 'picture'): FormData {
  const form = new FormData()
  form.set(field, new File([new Uint8Array(content)], name))
  return form
}

/** A different small JPEG for each number. */
export async function numberedJpeg(number: number): Promise<Buffer> {
  plain ??= quarters(800, 500).jpeg({ quality: 20 }).toBuffer()
  return Buffer.concat([await plain, Buffer.from([number])])
}
let plain: Promise<Buffer> | undefined

function writeCuts(uploadsDir: string, picture: PreparePicture): PictureCut[] {
  const hashes = hashesOf(picture)
  return cutPlansOf(picture.recipe).map(plan => {
    const hash = hashes[plan.cut] ?? ''
    const widths = { avif: [], webp: [...plan.widths.webp], jpg: [...plan.widths.jpg] }
    for (const format of Object.keys(copyTypes) as CopyFormat[])
      for (const width of widths[format]) {
        const path = copyPath(uploadsDir, { hash, width, format })
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, `${plan.cut} ${width} ${format}`)
      }
    return {
      cut: plan.cut,
      hash,
      width: 1600,
      height: 1200,
      widths,
      placeholder: 'data:image/webp;base64,AA',
    }
  })
}

type Site = Pick<Awaited<ReturnType<typeof testApp>>, 'deps'> & { admin: SignedIn }

/** Saves these sections to the draft as the editor does, and requests the copies that they need. */
export async function saveDraft({ admin, deps }: Site, changes: Partial<ContentDocument>): Promise<void> {
  await deps.write(tx => {
    for (const [section, body] of Object.entries(changes) as [SectionName, unknown][])
      tx.insert(contentSections)
        .values({ section, schema: 1, body, version: 1, updatedAt: testNow, updatedBy: admin.userId })
        .onConflictDoUpdate({ target: contentSections.section, set: { body } })
        .run()
    requestCopies(tx, { ...deps.siteContent().document, ...changes })
  })
}

/** Publishes the shipped content with these changes. */
export async function publishContent(
  { admin, deps }: Site,
  changes: Partial<ContentDocument>,
): Promise<void> {
  const body = JSON.stringify({ ...shippedContent, ...changes })
  await deps.write(tx =>
    tx
      .insert(contentVersions)
      .values({
        at: testNow,
        actorId: admin.userId,
        note: '',
        source: 'publish',
        schema: contentSchema,
        body,
        sha256: sha256(body),
      })
      .run(),
  )
}
