import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseBefore } from '../src/testing/old-database.ts'
import { openDatabase } from './open.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'condo-outbox-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Upgrades an outbox with these mails, and returns it. */
function upgrade(mails: { id: string; kind: string; status: string; at: string; error: string | null }[]) {
  const file = join(folder, 'portal.sqlite')
  const old = databaseBefore('0020_bounded_calendar_history', file)
  const insert = old.prepare(`insert into outbox (id, dedupe_key, kind, props, to_address, created_at, status,
    next_attempt_at, last_error) values (:id, :id, :kind, '{"feedName":"Airbnb"}', 'a@b.example', :at, :status, :at, :error)`)
  for (const mail of mails) insert.run(mail)
  old.close()
  const { sqlite, close } = openDatabase(file)
  const rows = sqlite.prepare('select id, status, props, last_error from outbox order by rowid').raw().all()
  close()
  return rows
}

test('upgrading removes answers of mail servers that may contain a working link [FIX-28]', () => {
  const token = 'kX3_vT-9'.repeat(3)
  const kept = 'No longer kept.'
  const errors: [error: string | null, after: string | null][] = [
    [null, null],
    ['554 mailbox mx1.mail-host.example is full', '554 mailbox mx1.mail-host.example is full'],
    ['554 HTTP://condo.example/x is listed', kept],
    [`554 spam: ${token}`, kept],
    [`Error: ${token.slice(0, 20)}, listed`, kept],
    [`554 ${token.slice(0, 19)} listed`, `554 ${token.slice(0, 19)} listed`],
  ]
  const mails = errors.map(([error], n) => ({
    id: `${n}`,
    kind: 'test-mail',
    status: 'failed',
    at: '',
    error,
  }))
  const expected = errors.map(([, after]) =>
    after === kept ? 'The answer of the mail server is no longer kept.' : after,
  )
  expect(upgrade(mails).map(row => (row as unknown[])[3])).toEqual(expected)
})

test('upgrading withdraws all waiting mails about double bookings but the last three [FIX-26]', () => {
  const mail = (id: string, kind: string, status: string) => ({
    id,
    kind,
    status,
    at: `2026-03-0${id}`,
    error: '450',
  })
  const about = 'owner-double-booking'
  const mails = [
    mail('5', about, 'queued'),
    mail('1', about, 'queued'),
    mail('2', about, 'queued'),
    mail('3', about, 'queued'),
    mail('4', about, 'queued'),
    mail('6', about, 'failed'),
    mail('0', 'owner-feed-failing', 'queued'),
  ]
  const props = '{"feedName":"Airbnb"}'
  expect(upgrade(mails)).toEqual([
    ['5', 'queued', props, '450'],
    ['1', 'withdrawn', '{}', null],
    ['2', 'withdrawn', '{}', null],
    ['3', 'queued', props, '450'],
    ['4', 'queued', props, '450'],
    ['6', 'failed', props, '450'],
    ['0', 'queued', props, '450'],
  ])
})

test('upgrading renames kinds of mails, whatever their status', () => {
  const file = join(folder, 'portal.sqlite')
  const old = databaseBefore('0023_rename_mail_kinds', file)
  const insert = old.prepare(`insert into outbox (id, dedupe_key, kind, props, to_address, created_at, status,
    next_attempt_at) values (:key, :key, :kind, '{}', 'a@b.example', '', :status, '')`)
  for (const [key, kind, status] of [
    ['owner-dangers:2026-03-04', 'owner-dangers', 'sent'],
    ['owner-dangers:2026-03-05', 'owner-dangers', 'queued'],
    ['words-unreadable:3', 'owner-words-unreadable', 'failed'],
    ['test:1', 'test-mail', 'queued'],
  ])
    insert.run({ key, kind, status })
  old.close()
  const { sqlite, close } = openDatabase(file)
  expect(sqlite.prepare('select dedupe_key, kind from outbox order by rowid').raw().all()).toEqual([
    ['owner-critical-notices:2026-03-04', 'owner-critical-notices'],
    ['owner-critical-notices:2026-03-05', 'owner-critical-notices'],
    ['words-unreadable:3', 'owner-content-unreadable'],
    ['test:1', 'test-mail'],
  ])
  close()
})
