import { afterEach, expect, test } from 'vitest'
import { type OpenedDatabase, openDatabase } from '../../../db/open.ts'
import { applications, payments, sequences, users } from '../../../db/schema.ts'
import { overlaps } from '../../domain/common/dates.ts'
import { seedScale } from './seed-scale.ts'

let database: OpenedDatabase
afterEach(() => database.close())

const now = new Date('2026-03-04T17:00:00.000Z')
const options = { now, timeZone: 'America/New_York', passwordHash: 'nobody logs in' }

test('creates the given number of applications, over five years, in every status', () => {
  database = openDatabase(':memory:')
  const told: number[] = []
  seedScale(database, { ...options, applications: 2500, onProgress: made => told.push(made) })
  const { db, sqlite } = database
  const rows = db.select().from(applications).all()
  expect([rows.length, db.select().from(users).all().length]).toEqual([2500, 250])
  expect(db.select().from(payments).all()).toHaveLength(7500)
  expect(told).toEqual([2000, 2500])
  expect(new Set(rows.map(row => row.status))).toEqual(
    new Set(['pending', 'approved', 'completed', 'rejected']),
  )
  expect(new Set(rows.map(row => row.createdAt.slice(0, 4)))).toEqual(
    new Set(['2021', '2022', '2023', '2024', '2025', '2026']),
  )
  for (const { createdAt, paidAt } of db.select().from(payments).all())
    expect(createdAt <= now.toISOString() && (paidAt ?? '') <= now.toISOString()).toBe(true)
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(sqlite.pragma('foreign_key_check')).toEqual([])
})

test('future bookings never overlap and numbers continue, also after a second run', () => {
  database = openDatabase(':memory:')
  const { db } = database
  seedScale(database, { ...options, applications: 1500 })
  const numbersBefore = db.select().from(sequences).all()
  seedScale(database, { ...options, applications: 1000 })
  const rows = db.select().from(applications).all()
  expect(new Set(rows.map(row => row.number)).size).toBe(2500)
  expect(db.select().from(sequences).all()).not.toEqual(numbersBefore)
  const stays = rows
    .filter(row => row.status === 'approved' || row.status === 'completed')
    .map(row => ({ start: row.stayStartDate ?? '', end: row.stayEndDate ?? '' }))
    .filter(stay => stay.end > '2026-03-04')
  expect(stays.length).toBeGreaterThan(3)
  for (const [i, stay] of stays.entries())
    expect(stays.slice(i + 1).filter(other => overlaps(stay, other))).toEqual([])
})
