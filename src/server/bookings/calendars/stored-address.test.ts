import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { calendarFeeds } from '../../../../db/schema.ts'
import { feedApp } from '../../../testing/calendar-host.ts'
import { everyRow } from '../../../testing/every-row.ts'
import { refreshStaleFeeds } from './refresh-stale.ts'
import { feedAddress, sealFeedAddresses } from './stored-address.ts'

const locked = 'Its address cannot be opened with this site’s secret.key. Please enter the address again.'
const lost = { state: 'damaged', path: '', message: '' } as const

describe('the address of an imported calendar', () => {
  test('is stored hashed and encrypted, never shown again, and cleared when the calendar is removed [CAL-20]', async () => {
    const { addFeed, calendars, deps, feedRow, host, read } = await feedApp()
    const id = await addFeed('Airbnb')
    const url = host.url('/Airbnb.ics')
    expect(JSON.stringify(everyRow({ deps }))).not.toContain('/Airbnb.ics')
    expect((await calendars.overview()).feeds).toMatchObject([{ id, host: new URL(url).host }])
    expect((await read(id)).outcome).not.toBe('failed')
    await expect(addFeed('Airbnb')).rejects.toMatchObject({ code: 'CONFLICT' })

    const moved = host.url('/secret-moved.ics')
    const edited = await calendars.editFeed({ id, url: moved })
    expect(JSON.stringify([edited, await calendars.overview()])).not.toMatch(/Airbnb\.ics|secret-moved/)
    expect(feedAddress(deps, feedRow(id))).toBe(moved)
    expect(JSON.stringify(everyRow({ deps }))).not.toContain('secret-moved')
    await addFeed('Airbnb')
    await calendars.removeFeed({ id })
    expect(feedRow(id)).toMatchObject({ url: '', urlEnc: null })
    await calendars.addFeed({ name: 'Again', url: moved })
  })

  test('stored by an earlier version works, and is encrypted at startup; a removed one is cleared', async () => {
    const { addFeed, calendars, deps, feedRow, host, read } = await feedApp()
    const [id, removed] = [await addFeed('Airbnb'), await addFeed('Vrbo')]
    const plain = (url: string) => ({ url, urlEnc: null })
    await deps.write(tx => {
      tx.update(calendarFeeds)
        .set(plain(host.url('/Airbnb.ics')))
        .where(eq(calendarFeeds.id, id))
        .run()
      tx.update(calendarFeeds)
        .set({ ...plain(host.url('/Vrbo.ics')), removedAt: '2026-03-04T17:00:00.000Z' })
        .where(eq(calendarFeeds.id, removed))
        .run()
    })
    expect((await read(id)).outcome).not.toBe('failed')
    await expect(addFeed('Airbnb')).rejects.toMatchObject({ code: 'CONFLICT' })
    const { key } = deps
    deps.key = lost
    await sealFeedAddresses(deps)
    // Without a key it could not be read any more.
    expect([feedRow(id).url, feedRow(removed).url]).toEqual([host.url('/Airbnb.ics'), ''])
    deps.key = key
    await sealFeedAddresses(deps)
    const version = deps.dataVersion()
    await sealFeedAddresses(deps)
    expect(deps.dataVersion()).toBe(version)
    expect(JSON.stringify(everyRow({ deps }))).not.toMatch(/Airbnb\.ics|Vrbo\.ics/)
    expect((await calendars.overview()).feeds).toMatchObject([{ id, host: new URL(host.url()).host }])
    expect((await read(id)).outcome).not.toBe('failed')
  })

  test('that the key does not open pauses the calendar, with a notice, until it is entered again', async () => {
    const { addFeed, advance, calendars, deps, host } = await feedApp()
    const id = await addFeed('Airbnb')
    const { key } = deps
    if (key.state !== 'ready') throw new Error('no key')
    deps.key = { ...key, key: { id: 'another', bytes: Buffer.alloc(32, 7) } }
    advance(3_600_000)
    const asked = host.requests.length
    const { feeds, notices } = await calendars.overview()
    expect(feeds).toMatchObject([{ id, host: '', state: 'paused', active: false }])
    expect(notices).toMatchObject([
      {
        id: `calendar-locked-${id}`,
        tone: 'danger',
        detail: expect.stringContaining('enter its address again'),
      },
    ])
    await expect(calendars.readNow({ id })).rejects.toThrow(locked)
    await expect(calendars.editFeed({ id, active: true })).rejects.toThrow(locked)
    await expect(calendars.editFeed({ id, mode: 'reservations' })).rejects.toThrow(locked)
    expect(await refreshStaleFeeds(deps)).toEqual([expect.stringContaining(locked)])
    expect(host.requests.length).toBe(asked)
    expect((await calendars.editFeed({ id, name: 'Renamed' })).feed.name).toBe('Renamed')

    const { feed } = await calendars.editFeed({ id, url: host.url('/Airbnb.ics') })
    expect(feed).toMatchObject({ host: new URL(host.url()).host, active: true, state: 'ok' })
    expect((await calendars.overview()).notices).toEqual([])
    deps.key = lost
    await expect(calendars.addFeed({ name: 'Vrbo', url: host.url('/Vrbo.ics') })).rejects.toThrow(/damaged/)
  })
})
