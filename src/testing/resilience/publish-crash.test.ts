import { expect, test } from 'vitest'
import type { SignedIn } from '../../domain/accounts/access.ts'
import { createDeps } from '../../server/create-deps.ts'
import { makeEditor } from '../build-site.ts'
import { everyRow } from '../every-row.ts'
import { proven, type TestApp, testApp } from '../test-app.ts'
import { runUntilKilled } from './killed-process.ts'

/** Publishes in a separate process that is killed at this point, and returns what the next process finds. */
async function publishAndKill(point: string, app: TestApp, actor: SignedIn, revision: number) {
  const { sessionId = '', userId } = proven(app.deps, actor)
  const env = { FAILPOINT: point, NOW: app.deps.clock.now().toISOString() }
  const args = [userId, sessionId, String(revision)]
  expect(await runUntilKilled(app, 'publish-process.ts', args, env)).toBe('SIGKILL')
  const { close, deps } = await createDeps(app.deps.config, { log: app.deps.log, clock: app.deps.clock })
  const found = { rows: everyRow({ deps }), words: deps.siteContent() }
  close()
  return found
}

test('killed while publishing: nothing has changed, and publishing can be repeated [SITE-21]', async () => {
  const { app, actor, before, draft, publish } = await readyToPublish()
  const { rows, words } = await publishAndKill('in-publish-write', app, actor, 2)
  expect(rows).toEqual(before)
  expect(words.version).toBe(0)
  expect((await draft()).revision).toBe(2)
  expect(await publish()).toMatchObject({ version: 1, changed: ['identity', 'hero'] })
})

test('killed after publishing: version, empty draft, event and mail are all stored [SITE-21]', async () => {
  const { app, actor, before, draft, publish, save } = await readyToPublish()
  const { rows, words } = await publishAndKill('after-publish-write', app, actor, 2)
  expect(words).toMatchObject({
    version: 1,
    content: { hero: { headline: 'Come and stay' }, identity: { ownerPhone: '850-555-0199' } },
  })
  const changed = Object.keys(rows).filter(table => rows[table] !== before[table])
  const written = ['content_sections', 'content_versions', 'events', 'outbox', 'sqlite_sequence']
  expect(changed.toSorted()).toEqual(written)
  const { revision, sections } = await draft()
  expect({ revision, isChanged: sections.hero.changed }).toEqual({ revision: 4, isChanged: false })
  await save('hero', { headline: 'Once more' })
  expect(await publish()).toMatchObject({ version: 2 })
})

/** A draft with a changed headline and phone number, at revision 2. */
async function readyToPublish() {
  const app = await testApp()
  const editor = await makeEditor(app)
  await editor.save('hero', { headline: 'Come and stay' })
  await editor.save('identity', { ownerPhone: '850-555-0199' })
  return { app, ...editor, before: everyRow(app) }
}
