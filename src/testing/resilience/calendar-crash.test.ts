import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { feedApp } from '../calendar-host.ts'
import { everyRow } from '../every-row.ts'

/** A site with a calendar that has changed since the last import. */
async function changedCalendar() {
  const app = await feedApp()
  app.setNow(new Date().toISOString())
  const { addFeed, host } = app
  const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const stay = (uid: string, from: number, to: number) => ({ uid, start: soon(from), end: soon(to) })
  host.serveEvents(stay('kept', 30, 33), stay('moves', 40, 45), stay('goes', 60, 62))
  const id = await addFeed()
  host.serveEvents(stay('kept', 30, 33), stay('moves', 50, 55), stay('comes', 70, 75))
  return { ...app, id }
}

/** Reads the calendar in a separate process and resolves with its signal or exit code. */
async function readInProcess(
  { deps, host, id }: Awaited<ReturnType<typeof changedCalendar>>,
  failpoint: string,
): Promise<unknown> {
  const child = spawn(
    process.execPath,
    [join(projectRoot, 'src/testing/resilience/calendar-process.ts'), id],
    {
      env: {
        DATABASE_FILE: deps.config.databaseFile,
        UPLOADS_DIR: deps.config.uploadsDir,
        FETCH_ALLOW: host.origin,
        LOG_LEVEL: 'silent',
        FAILPOINT: failpoint,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const [code, signal] = await once(child, 'exit')
  return signal ?? code
}

test.each(['reading-fetched', 'in-reading-write'])(
  'killed while reading a calendar, at %s: changes nothing, and the calendar can be read again [CAL-16]',
  async point => {
    const site = await changedCalendar()
    const before = everyRow(site)
    expect(await readInProcess(site, point)).toBe('SIGKILL')
    expect(everyRow(site)).toEqual(before)
    expect(await site.read(site.id)).toMatchObject({ outcome: 'read', added: 1, moved: 1, missing: 1 })
  },
)
