import { randomUUID } from 'node:crypto'
import { asc, eq, sql } from 'drizzle-orm'
import { depositItems, depositLetters, depositStatements, evidence, files } from '../../db/schema.ts'
import type { Admin, SignedIn } from '../domain/accounts/access.ts'
import type { StatementItem } from '../domain/money/deposit-case.ts'
import { storeFile } from '../server/kernel/files/stored-file.ts'
import { addItemPhoto } from '../server/money/deposits/items.ts'
import { makeLease, tokenOf } from './build-lease.ts'
import { quarters, secrets } from './build-picture.ts'
import { pictureSite } from './picture-site.ts'
import { type TestApp, testNow } from './test-app.ts'

/** The camera's time in `datedJpeg`. */
export const takenAt = '2026-03-04T11:58:00'

/** A different photo for each number: it lies on its side, and has place, photographer and time. */
export async function datedJpeg(number: number): Promise<Buffer> {
  const exif = {
    IFD0: { Artist: secrets[0] ?? '' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '28/1 21/1 1234/100' },
  }
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:a="a:a" a:place="${secrets[2]}"/></rdf:RDF></x:xmpmeta>`
  const jpeg = await quarters(2000 + number, 1000)
    .withExif({ ...exif, IFD2: { DateTimeOriginal: '2026:03:04 11:58:00' } })
    .withXmp(xmp)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  return jpeg
}

/** A stay with an item of its deposit, on a site with an owner, its tenant and another one. */
export async function evidenceSite(options: Parameters<typeof pictureSite>[0] = {}) {
  const app = await pictureSite(options)
  const { admin, id: applicationId, tenant } = await makeLease(app)
  const other = await app.makeTenant()
  await watchDeposits(app, admin)
  const [owner, itemId] = [admin as Admin, await addItem(app, applicationId)]
  const tokens = {
    admin: await tokenOf(app, admin),
    tenant: await tokenOf(app, tenant),
    other: await tokenOf(app, other),
  }
  const { db } = app.deps
  const rows = () => db.select().from(evidence).orderBy(asc(sql`rowid`)).all()
  return {
    ...app,
    admin: owner,
    applicationId,
    itemId,
    other,
    rows,
    tenant,
    tokens,
    add: async (content: Uint8Array, more: { name?: string; itemId?: string; requestId?: string } = {}) => {
      const { name = 'lamp.jpg', ...of } = more
      const upload = { name, source: pieces(content) }
      return (await addItemPhoto(app.deps, owner, { itemId, ...of }, upload)).photoId
    },
    /** Where the file of a photo is on disk. */
    pathOf: (id: string) => {
      const row = db
        .select({ file: files })
        .from(evidence)
        .innerJoin(files, eq(files.id, evidence.fileId))
        .where(eq(evidence.id, id))
        .get()
      return app.deps.files.pathOf({ storageName: row?.file.storageName ?? '' })
    },
    addItem: () => addItem(app, applicationId),
    addDocument: (kind: 'letter' | 'statement', of = itemId) => addDocument(app, kind, applicationId, of),
    /** Sends a request as one of the people. */
    call: async (who: keyof typeof tokens | 'guest', method: string, path: string, body?: FormData) => {
      const token = who === 'guest' ? undefined : tokens[who]
      const response = await fetch(`${await listening(app)}${path}`, {
        method,
        ...(body && { body }),
        ...(token && { headers: { authorization: `Bearer ${token}` } }),
      })
      // A body that is not read keeps its connection open.
      return new Response(await response.arrayBuffer(), response)
    },
  }
}
export type EvidenceSite = Awaited<ReturnType<typeof evidenceSite>>

const addresses = new WeakMap<object, Promise<string>>()
function listening(app: Pick<TestApp, 'deps' | 'listen'>): Promise<string> {
  const address = addresses.get(app.deps) ?? app.listen()
  addresses.set(app.deps, address)
  return address
}

async function* pieces(content: Uint8Array) {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
}

/** Switches the watching of deposits on. */
export const watchDeposits = (app: Pick<TestApp, 'as'>, admin: SignedIn) => {
  const body = { amountCents: 500_00, enabled: true, ruleId: 'general', since: '2026-01-01' }
  return app.as(admin).settings.deposit.save({ version: 0, body })
}

/** Adds an item that is claimed of a deposit. */
export async function addItem({ deps }: Pick<TestApp, 'deps'>, applicationId: string): Promise<string> {
  const item = { category: 'damage', label: 'Broken lamp', amountCents: 40_00, createdAt: testNow } as const
  const id = randomUUID()
  await deps.write(tx =>
    tx
      .insert(depositItems)
      .values({ id, applicationId, ...item })
      .run(),
  )
  return id
}

/** Stores a statement or letter that names the photos that the item has now. */
export async function addDocument(
  { deps }: Pick<TestApp, 'deps'>,
  kind: 'letter' | 'statement',
  applicationId: string,
  itemId: string,
) {
  const number =
    deps.db
      .select()
      .from(kind === 'letter' ? depositLetters : depositStatements)
      .all().length + 1
  const photos = deps.db
    .select()
    .from(evidence)
    .where(eq(evidence.subjectId, itemId))
    .all()
    .filter(({ removedAt }) => removedAt === null)
  const item = { category: 'damage', label: 'Broken lamp', amountCents: 40_00 } as const
  const items: StatementItem[] = [
    {
      id: itemId,
      ...item,
      photos: photos.map(({ clockDoubtful, id, receivedAt, sha256, takenAt }) => ({
        clockDoubtful,
        id,
        receivedAt,
        sha256,
        takenAt,
      })),
    },
  ]
  const pdf = {
    content: Buffer.from(`%PDF- ${kind} ${number}`),
    contentType: 'application/pdf',
    originalName: `${kind}.pdf`,
  }
  await storeFile(deps, 'upload', pdf, (tx, { id: fileId, sha256 }) => {
    const common = {
      id: randomUUID(),
      applicationId,
      number,
      items,
      claimedCents: 40_00,
      fileId,
      sha256,
      requestId: randomUUID(),
      createdAt: testNow,
    }
    if (kind === 'letter')
      tx.insert(depositLetters)
        .values({ ...common, address: '5 New Home Lane', createdBy: 'owner' })
        .run()
    else
      tx.insert(depositStatements)
        .values({
          ...common,
          how: 'email',
          trackingNumber: '',
          sentOn: '2026-03-04',
          objectionUntil: '2026-03-19',
        })
        .run()
  })
}
