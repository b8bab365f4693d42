import { expect, test } from 'vitest'
import { oldSite } from '../src/testing/old-database.ts'

/** Upgrades an outbox with these mails, and returns it. */
function upgraded(
  mails: { id: string; kind: string; status: string; created_at: string; last_error: string | null }[],
) {
  const { insert, upgrade } = oldSite('0020_bounded_calendar_history')
  for (const mail of mails) insert('outbox', { ...mail, dedupe_key: mail.id, props: '{"feedName":"Airbnb"}' })
  return upgrade().prepare('select id, status, props, last_error from outbox order by rowid').raw().all()
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
    created_at: '',
    last_error: error,
  }))
  const expected = errors.map(([, after]) =>
    after === kept ? 'The answer of the mail server is no longer kept.' : after,
  )
  expect(upgraded(mails).map(row => (row as unknown[])[3])).toEqual(expected)
})

test('upgrading withdraws all waiting mails about double bookings but the last three [FIX-26]', () => {
  const mail = (id: string, kind: string, status: string) => ({
    id,
    kind,
    status,
    created_at: `2026-03-0${id}`,
    last_error: '450',
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
  expect(upgraded(mails)).toEqual([
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
  const { insert, upgrade } = oldSite('0023_rename_mail_kinds')
  for (const [key, kind, status] of [
    ['owner-dangers:2026-03-04', 'owner-dangers', 'sent'],
    ['owner-dangers:2026-03-05', 'owner-dangers', 'queued'],
    ['words-unreadable:3', 'owner-words-unreadable', 'failed'],
    ['test:1', 'test-mail', 'queued'],
  ])
    insert('outbox', { id: key, dedupe_key: key, kind, props: '{}', status })
  expect(upgrade().prepare('select dedupe_key, kind from outbox order by rowid').raw().all()).toEqual([
    ['owner-critical-notices:2026-03-04', 'owner-critical-notices'],
    ['owner-critical-notices:2026-03-05', 'owner-critical-notices'],
    ['words-unreadable:3', 'owner-content-unreadable'],
    ['test:1', 'test-mail'],
  ])
})
