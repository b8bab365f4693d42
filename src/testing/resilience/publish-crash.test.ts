import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { createDeps } from '../../server/create-deps.ts'
import { makeEditor } from '../build-site.ts'
import { everyRow } from '../every-row.ts'
import { type TestApp, testApp } from '../test-app.ts'

/** Publishes in a process of its own that dies at the point, and answers what the next process finds. */
async function killedAt(point: string, app: TestApp, userId: string, revision: number) {
  const { databaseFile, uploadsDir } = app.deps.config
  const child = spawn(
    process.execPath,
    [join(projectRoot, 'src/testing/resilience/publish-process.ts'), userId, String(revision)],
    {
      env: { DATABASE_FILE: databaseFile, UPLOADS_DIR: uploadsDir, LOG_LEVEL: 'silent', FAULT_POINT: point },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
  const { close, deps } = await createDeps(app.deps.config, { log: app.deps.log, clock: app.deps.clock })
  const found = { rows: everyRow({ deps }), words: deps.words() }
  close()
  return found
}

test('killed in publishing: version, draft, event and mails are all there or none is, and it can be done again [SITE-21]', async () => {
  const app = await testApp()
  const { actor, draft, publish, save } = await makeEditor(app)
  await save('hero', { headline: 'Come and stay' })
  await save('identity', { ownerPhone: '850-555-0199' })
  const before = everyRow(app)
  const none = await killedAt('in-publish-write', app, actor.userId, 2)
  expect(none.rows).toEqual(before)
  expect(none.words.version).toBe(0)

  const all = await killedAt('after-publish-write', app, actor.userId, 2)
  expect(all.words).toMatchObject({
    version: 1,
    content: { hero: { headline: 'Come and stay' }, identity: { ownerPhone: '850-555-0199' } },
  })
  const changed = Object.keys(all.rows).filter(table => all.rows[table] !== before[table])
  expect(changed.toSorted()).toEqual([
    'content_sections',
    'content_versions',
    'events',
    'outbox',
    'sqlite_sequence',
  ])
  const { revision, sections } = await draft()
  expect({ revision, isChanged: sections.hero.changed }).toEqual({ revision: 4, isChanged: false })
  await save('hero', { headline: 'Once more' })
  expect(await publish()).toMatchObject({ version: 2 })
})
