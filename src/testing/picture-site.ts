import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pictureCopies, pictures } from '../../db/schema.ts'
import {
  type CopyFormat,
  copyTypes,
  cutPlansOf,
  type PictureCut,
  type PictureHeader,
} from '../domain/picture.ts'
import { prepareNext } from '../server/media/prepare-copies.ts'
import { copyPath } from '../server/pictures/media-folder.ts'
import {
  hashesOf,
  type PicturePreparer,
  type Preparation,
  type PreparePicture,
} from '../server/pictures/picture-preparer.ts'
import { tokenOf } from './build-lease.ts'
import { quarters } from './build-picture.ts'
import { testApp } from './test-app.ts'

type Prepare = (picture: PreparePicture) => Promise<Preparation>
type Options = {
  /** Instead of the work of the child process. */
  inspect?: () => Promise<PictureHeader>
  prepare?: Prepare
  app?: Parameters<typeof testApp>[0]
}

const header = { width: 1600, height: 1200, isBaseline: true }

/** A site with an administrator, whose pictures are prepared at once and without a child: copies of a few bytes. */
export async function pictureSite({ app: appOptions, inspect, prepare }: Options = {}) {
  const asked: PreparePicture[] = []
  let uploadsDir = ''
  const picturePreparer: PicturePreparer = {
    inspect: inspect ?? (async () => header),
    prepare: async picture => {
      asked.push(picture)
      return prepare
        ? prepare(picture)
        : { outcome: 'made', cuts: writeCuts(uploadsDir, picture), peakMib: 1 }
    },
    close: async () => {},
  }
  const app = await testApp({ ...appOptions, replace: { picturePreparer, ...appOptions?.replace } })
  uploadsDir = app.deps.config.uploadsDir
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
    media: app.as(admin).media,
    /** What the preparer was asked, in order. */
    asked,
    send,
    upload: async (content: Uint8Array, name = 'beach.jpg') =>
      (await send(pictureForm(content, name))).body.picture,
    rows: () => db.select().from(pictures).all(),
    copies: () => db.select().from(pictureCopies).all(),
    /** Makes all copies that wait. */
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

/** Another small JPEG for each number. */
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
