import { expect, test } from 'vitest'
import { feedApp } from '../calendar-host.ts'
import { everyRow } from '../every-row.ts'
import { runUntilKilled } from './killed-process.ts'

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

test.each(['reading-fetched', 'in-reading-write'])(
  'killed while reading a calendar, at %s: changes nothing, and the calendar can be read again [CAL-16]',
  async point => {
    const site = await changedCalendar()
    const before = everyRow(site)
    const env = { FETCH_ALLOW: site.host.origin, FAILPOINT: point }
    expect(await runUntilKilled(site, 'calendar-process.ts', [site.id], env)).toBe('SIGKILL')
    expect(everyRow(site)).toEqual(before)
    expect(await site.read(site.id)).toMatchObject({ outcome: 'read', added: 1, moved: 1, missing: 1 })
  },
)
