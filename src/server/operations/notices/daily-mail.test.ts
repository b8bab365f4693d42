import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { files, mailedNotices, outbox } from '../../../../db/schema.ts'
import { testApp } from '../../../testing/test-app.ts'
import { startMailScheduler } from '../../mail/scheduled-mails.ts'
import { startMailWorker } from '../../mail/worker.ts'
import { mailSources } from '../../mail-sources.ts'
import { dailyCriticalNotices, markCriticalNoticesMailed } from './daily-mail.ts'

/** The owner's app at 12:00 on March 4; each tick starts a new mail scheduler. */
async function ownersApp() {
  const app = await testApp({ env: { OWNER_EMAIL: 'owner@condo.example' } })
  const { db, write } = app.deps
  return {
    ...app,
    tick: async () => {
      const scheduler = startMailScheduler(app.deps, [dailyCriticalNotices])
      await scheduler.tick()
      await scheduler.stop()
    },
    deliver: async () => {
      const worker = startMailWorker(app.deps, mailSources)
      await worker.deliverDue()
      await worker.stop()
    },
    rows: () => db.select().from(outbox).where(eq(outbox.kind, 'owner-critical-notices')).all(),
    /** Marks a stored file as damaged, which is a critical notice on the board. */
    damage: async (originalName: string) => {
      const id = randomUUID()
      const at = '2026-03-01T00:00:00.000Z'
      const facts = { contentType: 'application/pdf', sizeBytes: 1, sha256: '', createdAt: at, damagedAt: at }
      await write(tx =>
        tx
          .insert(files)
          .values({ id, storageName: id, originalName, ...facts })
          .run(),
      )
      return id
    },
    mend: (id: string) =>
      write(tx => tx.update(files).set({ damagedAt: null }).where(eq(files.id, id)).run()),
    fail: (kind: string) =>
      write(tx => tx.update(outbox).set({ status: 'failed' }).where(eq(outbox.kind, kind)).run()),
  }
}

test('mails each critical notice to the owner once, at most one mail a day, from 09:00 on', async () => {
  const app = await ownersApp()
  await app.tick()
  expect(app.rows()).toEqual([])
  await app.damage('one.pdf')
  app.setNow('2026-03-04T13:59:00.000Z')
  await app.tick()
  expect(app.rows()).toEqual([])
  app.setNow('2026-03-04T14:00:00.000Z')
  await app.tick()
  await app.deliver()
  expect(app.sentMails).toMatchObject([
    { to: 'owner@condo.example', subject: 'A stored file is damaged or missing' },
  ])
  await app.damage('two.pdf')
  await app.damage('three.pdf')
  await app.tick()
  await app.tick()
  expect(app.rows()).toHaveLength(1)
  app.setNow('2026-03-05T14:00:00.000Z')
  await app.tick()
  await app.deliver()
  app.setNow('2026-03-06T14:00:00.000Z')
  await app.tick()
  expect(app.rows().map(({ dedupeKey, status }) => [dedupeKey, status])).toEqual([
    ['owner-critical-notices:2026-03-04', 'sent'],
    ['owner-critical-notices:2026-03-05', 'sent'],
  ])
  const second = app.sentMails[1]
  expect(second?.subject).toBe('2 notices on your dashboard')
  expect(second?.text).toContain('two.pdf')
  expect(second?.text).toContain('three.pdf')
  expect(second?.text).not.toContain('one.pdf')
})

test('withdraws the mail when the notice is gone before delivery, and mails it again when it returns', async () => {
  const app = await ownersApp()
  const id = await app.damage('one.pdf')
  await app.tick()
  await app.mend(id)
  await app.deliver()
  expect(app.rows()).toMatchObject([{ status: 'withdrawn', props: {} }])
  await app.tick()
  expect(app.deps.db.select().from(mailedNotices).all()).toEqual([])
  await app.deps.write(tx => tx.update(files).set({ damagedAt: '2026-03-04T17:00:00.000Z' }).run())
  app.setNow('2026-03-05T17:00:00.000Z')
  await app.tick()
  await app.deliver()
  expect(app.sentMails).toHaveLength(1)
})

test('includes the notices of an undelivered mail in the next one, and sends only that one', async () => {
  const app = await ownersApp()
  const first = await app.damage('one.pdf')
  await app.tick()
  await app.damage('two.pdf')
  app.setNow('2026-03-05T17:00:00.000Z')
  await app.tick()
  expect(app.rows()).toHaveLength(2)
  await app.deliver()
  expect(app.sentMails).toHaveLength(1)
  expect(app.sentMails[0]?.text).toContain('one.pdf')
  expect(app.sentMails[0]?.text).toContain('two.pdf')
  expect(app.rows().map(({ status }) => status)).toEqual(['withdrawn', 'sent'])

  // A failed mail to the owner does not cause another mail.
  await app.damage('three.pdf')
  app.setNow('2026-03-06T17:00:00.000Z')
  await app.tick()
  await app.fail('owner-critical-notices')
  await app.mend(first)
  app.setNow('2026-03-07T17:00:00.000Z')
  await app.tick()
  expect(app.rows()).toHaveLength(3)
})

test('does not mail the critical notices that the demo is seeded with, only later ones', async () => {
  const app = await ownersApp()
  await app.damage('planted.pdf')
  await app.deps.write(tx => markCriticalNoticesMailed(app.deps, tx))
  await app.tick()
  expect(app.rows()).toEqual([])
  await app.damage('later.pdf')
  await app.tick()
  await app.deliver()
  expect(app.sentMails).toHaveLength(1)
  expect(app.sentMails[0]?.text).not.toContain('planted.pdf')
})

test('leaves out critical notices with a separate mail to the owner, and the API does not reveal which they are', async () => {
  const app = await ownersApp()
  const owner = await app.makeAdmin()
  const { siteContent } = app.deps
  app.deps.siteContent = () => ({ ...siteContent(), unreadable: [7] })
  await app.tick()
  expect(app.rows()).toEqual([])
  const { notices } = await app.as(owner).notices.list()
  expect(notices).toContainEqual(expect.objectContaining({ id: 'words-unreadable-7', tone: 'danger' }))
  expect(JSON.stringify(notices)).not.toContain('ownMail')
})
