import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, lockCodes, messageFiles, messages, reviews } from '../../../db/schema.ts'
import { tickStays } from '../../server/arrival/gate.ts'
import { sendMessage, storeMessageFile } from '../../server/conversations/send.ts'
import { publishWaiting } from '../../server/reviews/reviews.ts'
import { scanPdf } from '../build-lease.ts'
import { perStay, stayApp } from '../build-stay.ts'
import { everyRow } from '../every-row.ts'
import type { TestApp } from '../test-app.ts'
import { runUntilKilled } from './killed-process.ts'

/** Runs an action in a process that is killed at this point: nothing of it is stored. */
async function expectNothing(app: TestApp, point: string, args: string[]) {
  const before = everyRow(app)
  const env = { FAILPOINT: point, NOW: app.deps.clock.now().toISOString() }
  expect(await runUntilKilled(app, 'stay-process.ts', args, env)).toBe('SIGKILL')
  expect(everyRow(app)).toEqual(before)
}

test('killed while a code is drawn: there is no code without its event, and the next minute draws one [STAY-17]', async () => {
  const { app, id } = await stayApp()
  app.setNow('2026-05-20T14:00:00.000Z')
  await expectNothing(app, 'in-code-write', ['draw'])
  await tickStays(app.deps)
  const drawn = app.deps.db.select().from(lockCodes).where(eq(lockCodes.lockId, perStay)).all()
  const isDrawing = and(eq(events.kind, 'stay.code_made'), eq(events.subjectId, id))
  const told = app.deps.db.select().from(events).where(isDrawing).all()
  expect(told).toMatchObject([{ detail: { codeId: drawn[0]?.id } }])
  expect(drawn).toHaveLength(1)
})

test('killed while a message with a file is sent: the same request sends it once, with its file [MSG-03, MSG-04]', async () => {
  const { app, id, owner, tenant } = await stayApp()
  await owner().settings.messages.save({ version: 0, body: { enabled: true } })
  const sender = { actor: tenant, applicationId: id }
  const file = await storeMessageFile(app.deps, sender, { content: scanPdf(), name: 'scan.pdf' })
  const requestId = randomUUID()
  await expectNothing(app, 'in-message-write', ['send', id, tenant.userId, file.id, requestId])
  const form = { body: 'Here it is', fileIds: [file.id], requestId }
  for (const _ of [1, 2]) await sendMessage(app.deps, sender, form)
  expect(app.deps.db.select().from(messages).all()).toMatchObject([{ number: 1, requestId }])
  expect(app.deps.db.select().from(messageFiles).all()).toMatchObject([{ fileId: file.id, number: 1 }])
})

test('killed while a review is published: it waits on, and the next minute publishes it with its event [REVIEW-06]', async () => {
  const { app, id, owner, tenant } = await stayApp()
  await owner().settings.reviews.save({ version: 0, body: { enabled: true } })
  app.setNow('2026-07-02T16:00:00.000Z')
  const form = { rating: 5, title: '', text: 'We loved the balcony and the sea.', name: 'first' as const }
  await app.as(tenant).reviews.write({ applicationId: id, ...form })
  app.setNow('2026-07-17T16:00:00.000Z')
  await expectNothing(app, 'in-review-publish', ['publish'])
  await publishWaiting(app.deps)
  expect(app.deps.db.select().from(reviews).all()).toMatchObject([{ state: 'published' }])
  const published = eq(events.kind, 'review.published')
  expect(app.deps.db.select().from(events).where(published).all()).toHaveLength(1)
})
