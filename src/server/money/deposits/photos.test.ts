import { writeFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { evidence, files } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { depositApp } from '../../../testing/build-deposit.ts'
import { datedJpeg, evidenceSite } from '../../../testing/build-evidence.ts'
import { secrets } from '../../../testing/build-picture.ts'
import { pdfText } from '../../../testing/pdf-text.ts'
import { addItemPhoto } from './items.ts'
import { statementFile } from './statements.ts'

const off = { status: 409, error: 'Deposits are not watched here.' }

test('setting a photo aside answers the deposit without it; while deposits are not watched both are 409 [EVID-05]', async () => {
  const site = await evidenceSite()
  const [first, second] = [await site.add(Buffer.from('one')), await site.add(Buffer.from('two'))]
  const remove = async (id: string) => {
    const response = await site.call('admin', 'DELETE', `/api/deposit/admin/photo/${id}`)
    return { status: response.status, ...(await response.json()) }
  }
  const removed = await remove(first)
  expect(removed.status).toBe(200)
  expect(removed.deposit.items).toMatchObject([{ id: site.itemId, photos: [{ id: second }] }])
  expect(await remove(first)).toMatchObject({ status: 404 })
  const { body, version } = await site.as(site.admin).settings.deposit.get()
  await site.as(site.admin).settings.deposit.save({ version, body: { ...body, enabled: false } })
  expect(await remove(second)).toMatchObject(off)
  await expect(site.add(Buffer.from('three'))).rejects.toMatchObject({ message: off.error })
  expect(site.rows().map(row => row.removedAt !== null)).toEqual([true, false])
})

test('a statement shows its photos small, says which is damaged, says no place, and the tenant is shown the photos that it names [DEP-19, DEP-20, EVID-04, EVID-05, EVID-07, EVID-08]', async () => {
  const { addItem, admin, app, id, sendStatement, tenant } = await depositApp()
  const { itemId } = await addItem(40_00)
  const add = async (number: number) => {
    const source = (async function* () {
      yield await datedJpeg(number)
    })()
    return (await addItemPhoto(app.deps, admin as Admin, { itemId }, { source, name: 'lamp.jpg' })).photoId
  }
  const [whole, damaged] = [await add(1), await add(2)]
  const { db } = app.deps
  const row = db
    .select()
    .from(evidence)
    .innerJoin(files, eq(files.id, evidence.fileId))
    .where(eq(evidence.id, damaged))
    .get()
  writeFileSync(app.deps.files.pathOf({ storageName: row?.files.storageName ?? '' }), 'changed')
  const { statementId } = await sendStatement()
  const later = await add(3)
  const { content } = await statementFile(app.deps, tenant, id, statementId)
  const lines = pdfText(content).flat()
  for (const planted of [secrets[2] ?? '', 'Exif', 'GPS', 'xmpmeta'])
    for (const shown of [content, Buffer.from(lines.join('\n'))]) expect(shown.includes(planted)).toBe(false)
  expect(lines.filter(line => line === 'This file is damaged.')).toHaveLength(1)
  expect(lines[lines.indexOf('Item 1, photo 2') + 1]).toBe(row?.evidence.sha256)
  // The one that is whole is shown small.
  expect(content.toString('latin1').match(/\/Subtype \/Image\b/g)).toHaveLength(1)
  const shown = async (actor: typeof tenant) =>
    (await app.as(actor).deposits.get({ applicationId: id })).deposit?.items.flatMap(({ photos }) =>
      photos.map(photo => photo.id),
    )
  expect(await shown(admin)).toEqual([whole, damaged, later])
  expect(await shown(tenant)).toEqual([whole, damaged])
  const { deposit } = await app.as(admin).deposits.get({ applicationId: id })
  expect(deposit?.items[0]?.photos.map(({ isNamed }) => isNamed)).toEqual([true, true, false])
})
