import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type OpenedDatabase, openDatabase } from '../../../db/open.ts'
import { installationFacts } from '../../../db/schema.ts'
import { AppError } from '../../domain/common/errors.ts'
import { testFolder } from '../../testing/test-folder.ts'
import { createWrite, partMs } from './write.ts'

let folder: string
let opened: OpenedDatabase
const file = () => join(folder, 'portal.sqlite')
const stored = () => opened.db.select().from(installationFacts).all()

beforeEach(() => {
  folder = testFolder()
  opened = openDatabase(file())
})
afterEach(() => opened.close())

test('a resolved write is committed', async () => {
  const write = createWrite(opened.sqlite, opened.db)
  expect(
    await write(tx => tx.insert(installationFacts).values({ key: 'a', value: '1' }).returning().get()),
  ).toEqual({
    key: 'a',
    value: '1',
  })
  const elsewhere = new SqliteDatabase(file(), { readonly: true })
  expect(elsewhere.prepare('select value from settings').pluck().all()).toEqual(['1'])
  elsewhere.close()
})

test('runs concurrent writes one after the other, and a failure rolls back only its own changes', async () => {
  const commits = vi.fn()
  const write = createWrite(opened.sqlite, opened.db, commits)
  const outcomes = await Promise.allSettled([
    write(tx => tx.insert(installationFacts).values({ key: 'first', value: '' }).run()),
    write(tx => {
      tx.insert(installationFacts).values({ key: 'undone', value: '' }).run()
      throw new AppError('conflict', 'no')
    }),
    write(tx => tx.insert(installationFacts).values({ key: 'last', value: '' }).run()),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[1]).toMatchObject({ reason: { code: 'conflict', message: 'no' } })
  expect(
    stored()
      .map(({ key }) => key)
      .toSorted(),
  ).toEqual(['first', 'last'])
  expect(commits).toHaveBeenCalledTimes(2)
})

test('a write that fails counts as no commit, so that caches stay', async () => {
  const commits = vi.fn()
  const write = createWrite(opened.sqlite, opened.db, commits)
  const failing = write(tx => {
    tx.insert(installationFacts).values({ key: 'undone', value: '' }).run()
    throw new AppError('conflict', 'no')
  })
  await expect(failing).rejects.toMatchObject({ code: 'conflict' })
  expect([stored(), commits.mock.calls]).toEqual([[], []])
})

test('rejects asynchronous work and stores nothing', async () => {
  const write = createWrite(opened.sqlite, opened.db)
  const late = write(async tx => void tx.insert(installationFacts).values({ key: 'late', value: '' }).run())
  await expect(late).rejects.toThrow('must be synchronous')
  expect(stored()).toEqual([])
})

test('waits for a database locked by another process, then fails with 503, then works again', async () => {
  const write = createWrite(opened.sqlite, opened.db)
  const other = new SqliteDatabase(file())
  other.exec('BEGIN IMMEDIATE')
  const waiting = write(tx => tx.insert(installationFacts).values({ key: 'patient', value: '' }).run())
  setTimeout(() => other.exec('ROLLBACK'), 300)
  await waiting
  expect(stored()).toHaveLength(1)

  other.exec('BEGIN IMMEDIATE')
  const refused = write(tx => tx.insert(installationFacts).values({ key: 'refused', value: '' }).run())
  await expect(refused).rejects.toMatchObject({ code: 'unavailable', status: 503 })
  other.exec('ROLLBACK')
  other.close()
  await write(tx => tx.insert(installationFacts).values({ key: 'later', value: '' }).run())
  expect(stored().map(({ key }) => key)).toEqual(['patient', 'later'])
})

test('fails with 503 when the database is full, keeps its rows, and works again once there is space', async () => {
  const write = createWrite(opened.sqlite, opened.db)
  await write(tx => tx.insert(installationFacts).values({ key: 'before', value: '' }).run())
  const pages = opened.sqlite.pragma('page_count', { simple: true }) as number
  opened.sqlite.pragma(`max_page_count = ${pages}`)
  const outcomes = await Promise.allSettled([
    write(tx => tx.insert(installationFacts).values({ key: 'beside', value: '' }).run()),
    write(tx =>
      tx
        .insert(installationFacts)
        .values({ key: 'huge', value: 'x'.repeat(1_000_000) })
        .run(),
    ),
  ])
  expect(outcomes[1]).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
  expect(stored().map(({ key }) => key)).not.toContain('huge')
  opened.sqlite.pragma('max_page_count = 1073741823')
  await write(tx => tx.insert(installationFacts).values({ key: 'after', value: '' }).run())
  expect(stored().map(({ key }) => key)).toEqual(expect.arrayContaining(['before', 'after']))
})

test('runs many long writes in order, and lets other work run in between [FIX-19]', async () => {
  const commits = vi.fn()
  const write = createWrite(opened.sqlite, opened.db, commits)
  const done: number[] = []
  let turns = 0
  const turn = () => {
    turns++
    if (done.length < 8) setImmediate(turn)
  }
  const slow = (key: number) =>
    write(tx => {
      const until = performance.now() + 15
      while (performance.now() < until);
      tx.insert(installationFacts)
        .values({ key: `${key}`, value: '' })
        .run()
      if (key === 3) throw new AppError('conflict', 'no')
      done.push(key)
    })
  const keys = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  setImmediate(turn)
  const outcomes = await Promise.allSettled(keys.map(slow))
  expect(outcomes.map(({ status }) => status)).toEqual(
    keys.map(key => (key === 3 ? 'rejected' : 'fulfilled')),
  )
  expect(done).toEqual(keys.filter(key => key !== 3))
  expect(stored()).toHaveLength(8)
  expect(commits).toHaveBeenCalledTimes(8)
  expect(turns).toBeGreaterThanOrEqual(8)
})

describe('work in parts', () => {
  const put = (key: string) => (tx: OpenedDatabase['db']) =>
    tx.insert(installationFacts).values({ key, value: '' }).run()
  /** Long enough that other work has a turn after each part. */
  function* parts(tx: OpenedDatabase['db'], keys: string[]): Generator<void, number> {
    for (const key of keys) {
      put(key)(tx)
      const until = performance.now() + partMs + 1
      while (performance.now() < until);
      yield
    }
    return keys.length
  }

  test('lets others read the data before it, and shows its changes with the commit at the end [FIX-34]', async () => {
    const commits = vi.fn()
    const write = createWrite(opened.sqlite, opened.db, commits)
    const seen: number[] = []
    const timer = setInterval(() => seen.push(stored().length), 1)
    expect(await write.inParts(tx => parts(tx, ['a', 'b', 'c', 'd', 'e']))).toBe(5)
    clearInterval(timer)
    expect(stored()).toHaveLength(5)
    expect(commits).toHaveBeenCalledTimes(1)
    expect(seen.length).toBeGreaterThanOrEqual(3)
    expect(new Set(seen)).toEqual(new Set([0]))
  })

  test('takes its turn among other writes, which wait for its end [FIX-34]', async () => {
    const write = createWrite(opened.sqlite, opened.db)
    const order: string[] = []
    const done = (name: string) => () => void order.push(name)
    await Promise.all([
      write(put('first')).then(done('first')),
      write.inParts(tx => parts(tx, ['a', 'b', 'c'])).then(done('parts')),
      write.inParts(tx => parts(tx, ['d'])).then(done('more parts')),
      write(put('last')).then(done('last')),
    ])
    expect(order).toEqual(['first', 'parts', 'more parts', 'last'])
    expect(stored()).toHaveLength(6)
  })

  test('stores nothing if a part fails, and the next write works [FIX-34]', async () => {
    const commits = vi.fn()
    const write = createWrite(opened.sqlite, opened.db, commits)
    const failing = write.inParts(function* (tx) {
      yield* parts(tx, ['a', 'b'])
      throw new AppError('conflict', 'no')
    })
    await expect(failing).rejects.toMatchObject({ code: 'conflict' })
    expect(stored()).toEqual([])
    expect(commits).not.toHaveBeenCalled()
    await write(put('next'))
    expect(stored()).toHaveLength(1)
  })

  test('fails with 503 if another process keeps the database locked [FIX-34]', async () => {
    const write = createWrite(opened.sqlite, opened.db)
    const other = new SqliteDatabase(file())
    other.exec('BEGIN IMMEDIATE')
    await expect(write.inParts(tx => parts(tx, ['a']))).rejects.toMatchObject({ code: 'unavailable' })
    other.exec('ROLLBACK')
    other.close()
  })
})
