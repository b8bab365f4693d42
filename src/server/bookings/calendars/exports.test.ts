import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { calendarExports, calendarFeeds, events, outbox } from '../../../../db/schema.ts'
import { calendarSite } from '../../../testing/build-calendar.ts'
import { everyRow } from '../../../testing/every-row.ts'
import { newToken } from '../../lib/sha256.ts'
import { sealExportTokens } from './exports.ts'

const day = 24 * 3_600_000
const platformOnly = 'Only a calendar for a platform can be linked to an imported calendar'

/** The code, message and fields of the expected error. */
async function refusal(attempt: Promise<unknown>) {
  try {
    await attempt
  } catch (error) {
    const { cause, code, message } = error as { code: string; message: string; cause?: { fields?: object } }
    return [code, message, cause?.fields]
  }
  throw new Error('nothing was refused')
}

describe('creating a calendar', () => {
  test('returns its address and, for a platform, the feed of the same platform [CAL-50]', async () => {
    const { addFeed, calendars } = await calendarSite()
    const feedId = await addFeed('Airbnb')
    const made = await calendars.createExport({ name: ' For Airbnb ', scope: 'platform', feedId })
    expect(made.url).toMatch(/^http:\/\/localhost:\d+\/calendar\/[\w-]{43}\.ics$/)
    expect(made.export).toEqual({
      _id: made.export.id,
      id: expect.any(String),
      name: 'For Airbnb',
      scope: 'platform',
      feedId,
      oldUrlUntil: null,
      lastFetchedAt: null,
      lastAgent: null,
      createdAt: '2026-03-04T17:00:00.000Z',
    })
    expect((await calendars.overview()).exports).toEqual([made.export])
  })

  test('rejects an invalid name, a feed for a non-platform, an unknown feed, and a 21st calendar [CAL-02, CAL-07, CAL-62]', async () => {
    const { addFeed, calendars } = await calendarSite()
    const feedId = await addFeed('Airbnb')
    for (const name of ['', ' ', 'x'.repeat(61), 'a\nb'])
      expect((await refusal(calendars.createExport({ name, scope: 'owner' })))[0]).toBe('BAD_REQUEST')
    for (const scope of ['cleaning', 'owner'] as const)
      expect(await refusal(calendars.createExport({ name: 'a', scope, feedId }))).toEqual([
        'BAD_REQUEST',
        expect.stringContaining(platformOnly),
        undefined,
      ])
    const unknown = calendars.createExport({ name: 'a', scope: 'platform', feedId: 'unknown' })
    expect((await refusal(unknown))[0]).toBe('NOT_FOUND')
    expect((await calendars.overview()).exports).toEqual([])
    const asked = Array.from({ length: 21 }, (_, i) =>
      calendars.createExport({ name: `No. ${i}`, scope: 'owner' }),
    )
    const made = await Promise.allSettled(asked)
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    const tooMany = 'You already export 20 calendars. Please remove one first.'
    expect(await refusal(calendars.createExport({ name: 'a', scope: 'owner' }))).toEqual([
      'CONFLICT',
      tooMany,
      undefined,
    ])
    const [first] = (await calendars.overview()).exports
    await calendars.removeExport({ id: first?.id ?? '' })
    await calendars.createExport({ name: 'a', scope: 'owner' })
  })
})

describe('the secret address', () => {
  test('is stored hashed and encrypted, and still works when the key is lost [CAL-50]', async () => {
    const { calendars, deps, http } = await calendarSite()
    const { export: made, url } = await calendars.createExport({ name: 'One', scope: 'platform' })
    const { id } = made
    const path = new URL(url).pathname
    expect(JSON.stringify(await calendars.overview())).not.toContain('.ics')
    expect(await calendars.showExport({ id })).toEqual({ url })
    expect(JSON.stringify(everyRow({ deps }))).not.toContain(path.slice('/calendar/'.length, -'.ics'.length))
    deps.key = { state: 'damaged', path: '', message: '' }
    expect(await calendars.showExport({ id })).toEqual({ url: '' })
    expect((await http.inject(path)).statusCode).toBe(200)
    const row = deps.db.select().from(calendarExports).get()
    expect((await http.inject(`/calendar/${row?.token}.ics`)).statusCode).toBe(404)
  })

  test('stored by an earlier version is encrypted at startup; it and the address that it replaced still work [CAL-50]', async () => {
    const { calendars, deps, http } = await calendarSite()
    const { export: made, url } = await calendars.createExport({ name: 'One', scope: 'platform' })
    const [token, oldToken] = [newToken(), newToken()]
    const plainText = { token, tokenEnc: null, oldToken, oldUntil: '2026-03-11T17:00:00.000Z' }
    await deps.write(tx => tx.update(calendarExports).set(plainText).run())
    await sealExportTokens(deps)
    await sealExportTokens(deps)
    expect(await calendars.showExport({ id: made.id })).toEqual({ url: url.replace(/[\w-]{43}/, token) })
    for (const each of [token, oldToken])
      expect((await http.inject(`/calendar/${each}.ics`)).statusCode).toBe(200)
    expect(JSON.stringify(everyRow({ deps }))).not.toMatch(new RegExp(`${token}|${oldToken}`))
  })
})

describe('editing', () => {
  test('changes name and feed and keeps the address; a new feed resets the last fetch [CAL-47, CAL-53]', async () => {
    const { addFeed, calendars, http } = await calendarSite()
    const [airbnb, vrbo] = [await addFeed('Airbnb'), await addFeed('Vrbo')]
    const { export: made, url } = await calendars.createExport({
      name: 'One',
      scope: 'platform',
      feedId: airbnb,
    })
    await http.inject({ url: new URL(url).pathname, headers: { 'user-agent': 'Looker' } })
    const fetched = { lastFetchedAt: '2026-03-04T17:00:00.000Z', lastAgent: 'Looker' }
    const { id } = made
    const edit = async (change: { name?: string; feedId?: string | null }) =>
      (await calendars.editExport({ id, ...change })).export
    expect(await edit({ name: 'Two' })).toEqual({ ...made, ...fetched, name: 'Two' })
    expect(await edit({ feedId: airbnb })).toEqual({ ...made, ...fetched, name: 'Two' })
    expect(await edit({ feedId: vrbo })).toEqual({ ...made, name: 'Two', feedId: vrbo })
    expect(await edit({ feedId: null })).toEqual({ ...made, name: 'Two', feedId: null })
    expect(await edit({})).toEqual({ ...made, name: 'Two', feedId: null })
  })

  test('rejects a feed for a non-platform calendar, and an unknown or removed feed [CAL-62]', async () => {
    const { addFeed, advance, calendars, deps } = await calendarSite()
    const feedId = await addFeed('Airbnb')
    const { export: own } = await calendars.createExport({ name: 'Mine', scope: 'owner' })
    advance(1)
    const { export: platform } = await calendars.createExport({ name: 'Airbnb', scope: 'platform' })
    expect(await refusal(calendars.editExport({ id: own.id, feedId }))).toEqual([
      'BAD_REQUEST',
      platformOnly,
      { feedId: platformOnly },
    ])
    await deps.write(tx =>
      tx.update(calendarFeeds).set({ removedAt: 'x' }).where(eq(calendarFeeds.id, feedId)).run(),
    )
    for (const gone of [feedId, 'unknown'])
      expect((await refusal(calendars.editExport({ id: platform.id, feedId: gone })))[0]).toBe('NOT_FOUND')
    expect((await calendars.overview()).exports).toEqual([own, platform])
  })
})

describe('a new address', () => {
  const site = async () => {
    const made = await calendarSite()
    return {
      ...made,
      give: async () => {
        const { export: given, url } = await made.calendars.createExport({ name: 'One', scope: 'platform' })
        return { ...given, url }
      },
      rotate: async (id: string, keepOld: boolean) => ({
        ...(await made.calendars.rotateExport({ id, keepOld })).export,
        ...(await made.calendars.showExport({ id })),
      }),
      status: async ({ url }: { url: string }) => (await made.http.inject(new URL(url).pathname)).statusCode,
    }
  }

  test('ends the old address at once or after 7 days, and any earlier address at once [CAL-58]', async () => {
    const { advance, give, rotate, status } = await site()
    const first = await give()
    const second = await rotate(first.id, false)
    expect(second).toEqual({ ...first, url: expect.any(String) })
    expect([await status(first), await status(second)]).toEqual([404, 200])
    const third = await rotate(first.id, true)
    expect(third.oldUrlUntil).toBe('2026-03-11T17:00:00.000Z')
    expect([await status(first), await status(second), await status(third)]).toEqual([404, 200, 200])
    advance(7 * day - 1)
    expect([await status(second), await status(third)]).toEqual([200, 200])
    advance(1)
    expect([await status(second), await status(third)]).toEqual([404, 200])

    const fourth = await rotate(first.id, true)
    const fifth = await rotate(first.id, true)
    expect([await status(third), await status(fourth), await status(fifth)]).toEqual([404, 200, 200])
    const sixth = await rotate(first.id, false)
    expect(sixth.oldUrlUntil).toBeNull()
    expect([await status(fourth), await status(fifth), await status(sixth)]).toEqual([404, 404, 200])
  })

  test('stops working with the old address when the calendar is removed [CAL-58]', async () => {
    const { calendars, give, rotate, status } = await site()
    const first = await give()
    const second = await rotate(first.id, true)
    expect(await calendars.removeExport({ id: first.id })).toEqual({ message: 'Calendar removed' })
    expect([await status(first), await status(second)]).toEqual([404, 404])
    expect((await calendars.overview()).exports).toEqual([])
    for (const attempt of [
      calendars.removeExport({ id: first.id }),
      calendars.rotateExport({ id: first.id, keepOld: true }),
      calendars.editExport({ id: first.id, name: 'Two' }),
      calendars.editExport({ id: 'unknown', name: 'Two' }),
    ])
      expect((await refusal(attempt))[0]).toBe('NOT_FOUND')
  })
})

test('the audit log records changes of calendars, and only changes, without their addresses [CAL-62]', async () => {
  const { admin, calendars, deps } = await calendarSite()
  const { export: made, url } = await calendars.createExport({ name: 'One', scope: 'platform' })
  const { id } = made
  await calendars.rotateExport({ id, keepOld: true })
  const rotated = await calendars.showExport({ id })
  for (let times = 0; times < 2; times++) await calendars.editExport({ id, name: 'Two' })
  await calendars.removeExport({ id })
  const kept = deps.db.select().from(events).where(eq(events.subjectId, id)).all()
  expect(kept.map(({ actorId, detail, kind }) => [kind, detail, actorId === admin.userId])).toEqual([
    ['calendar.export_created', { name: 'One', scope: 'platform', feedId: null }, true],
    ['calendar.export_rotated', { name: 'One', keepOld: true }, true],
    ['calendar.export_shown', { name: 'One' }, true],
    ['calendar.export_edited', { name: 'Two', feedId: null }, true],
    ['calendar.export_removed', { name: 'Two' }, true],
  ])
  for (const address of [url, rotated.url])
    expect(JSON.stringify(kept)).not.toContain(/calendar\/([\w-]+)\.ics/.exec(address)?.[1])
})

test('ending or moving a calendar mails the owner who did it; nothing else does [INST-22]', async () => {
  const { addFeed, calendars, deps } = await calendarSite({ env: { OWNER_EMAIL: 'olive@condo.example' } })
  const feed = await addFeed('Airbnb')
  const { id } = (await calendars.createExport({ name: 'One', scope: 'platform' })).export
  await calendars.showExport({ id })
  await calendars.editExport({ id, name: 'Two' })
  const mails = () =>
    deps.db
      .select()
      .from(outbox)
      .all()
      .filter(({ kind }) => kind === 'owner-connection-changed')
      .map(({ props, toAddress }) => [toAddress, (props as { what: string }).what])
  expect(mails()).toEqual([])
  await calendars.rotateExport({ id, keepOld: true })
  await calendars.removeExport({ id })
  await calendars.removeFeed({ id: feed })
  expect(mails()).toEqual([
    ['olive@condo.example', 'The address of the calendar Two'],
    ['olive@condo.example', 'The removed calendar Two'],
    ['olive@condo.example', 'The removed calendar Airbnb'],
  ])
})
