import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { outbox, payments, sessions } from '../../../../db/schema.ts'
import { paymentApp } from '../../../testing/build-payment.ts'
import { testApp } from '../../../testing/test-app.ts'
import { enqueueMail } from '../../messages/outbox.ts'
import { startCatchUp } from '../../money/payments/reconcile/catch-up.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore.ts'
import { readRestored } from './restored.ts'

const quiet = () => {}

/** A site that was restored from a backup, made before a checkout was paid. */
async function restoredSite({ isEventOlder = false } = {}) {
  const lost = await paymentApp()
  const owner = await lost.makeAdmin()
  const tenant = await lost.makeTenant()
  const { id: applicationId } = await lost.makeApplication(tenant)
  const row = await lost.checkout(tenant, { applicationId })
  await lost.deps.write(tx => {
    const to = 'owner@condo.example'
    enqueueMail(tx, lost.deps.clock.now().toISOString(), {
      kind: 'test-mail',
      props: {},
      to,
      dedupeKey: 'waits',
    })
  })
  const file = join(lost.folder, 'one.tar.gz')
  const pay = () => lost.provider.pay(row.checkoutSessionId)
  // The provider's event may be older than the backup that does not know it.
  if (isEventOlder) pay()
  const backedUpAt = new Date(lost.deps.clock.now().getTime() + (isEventOlder ? 20_000 : 0))
  await makeBackup(lost.deps.config, file, backedUpAt, quiet)
  if (!isEventOlder) pay()
  const database = join(lost.folder, 'elsewhere/portal.sqlite')
  const uploads = join(lost.folder, 'elsewhere/uploads')
  await restoreBackup({ databaseFile: database, uploadsDir: uploads }, file, quiet)
  const app = await testApp({
    env: { DATABASE_FILE: database, UPLOADS_DIR: uploads },
    replace: { provider: lost.deps.provider },
  })
  return { app, owner, paymentId: row.id }
}

test('after a restore sessions have ended, and waiting mails are held until the owner sends or discards them [INST-42]', async () => {
  const { app, owner } = await restoredSite()
  expect(app.deps.db.select().from(sessions).all()).toEqual([])
  const states = () =>
    new Set(
      app.deps.db
        .select()
        .from(outbox)
        .all()
        .map(({ status }) => status),
    )
  expect(states()).toEqual(new Set(['held']))
  const board = async () => (await app.as(owner).notices.list()).notices.find(({ id }) => id === 'restored')
  const notice = await board()
  expect(notice?.detail).toMatch(
    /^What was entered between Mar(?:ch)? 4, 2026.* and .* may be missing\. \d+ mails? waited/,
  )
  expect(notice?.action).toMatchObject({ kind: 'held_mails' })
  const { count } = await app.as(owner).notices.heldMails({ send: true })
  expect([count > 0, states()]).toEqual([true, new Set(['queued'])])
  await expect(app.as(owner).notices.heldMails({ send: false })).rejects.toThrow(
    'No mails are held any more.',
  )
  await app.deps.write(tx => tx.update(outbox).set({ status: 'held' }).run())
  await app.as(owner).notices.heldMails({ send: false })
  expect(states()).toEqual(new Set(['withdrawn']))
})

test.each([false, true])(
  'a payment that the provider knows and the backup does not arrives by itself, once; its event older than the backup: %s [INST-42]',
  async isEventOlder => {
    const { app, paymentId } = await restoredSite({ isEventOlder })
    const status = () => app.deps.db.select().from(payments).where(eq(payments.id, paymentId)).get()?.status
    expect(status()).toBe('pending')
    const first = startCatchUp(app.deps, readRestored(app.deps.db))
    await expect.poll(status).toBe('succeeded')
    await first.stop()
    const after = app.deps.db.select().from(payments).all()
    await startCatchUp(app.deps, readRestored(app.deps.db)).stop()
    expect(app.deps.db.select().from(payments).all()).toEqual(after)
  },
)
