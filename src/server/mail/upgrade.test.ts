import { expect, test } from 'vitest'
import { outbox } from '../../../db/schema.ts'
import { call } from '../../testing/build-account.ts'
import { everyRow } from '../../testing/every-row.ts'
import { oldSite } from '../../testing/old-database.ts'
import { testApp, testNow, visitor } from '../../testing/test-app.ts'
import { sha256 } from '../lib/sha256.ts'
import { mailSources } from '../mail-sources.ts'
import { startMailWorker } from './worker.ts'

const later = '2026-03-05T17:00:00.000Z'
const email = 'maya@guest.example'
const tokenOf = (name: string) => name.padEnd(43, '-')
const hash = (name: string) => sha256(tokenOf(name))

/** An upgraded site whose queued mails still contained tokens in the former version. */
function openUpgraded() {
  const { insert, old, store } = oldSite('0017_tokens_at_delivery')
  insert('users', {
    id: 'maya',
    email,
    email_key: email,
    password_hash: 'no password fits',
    first_name: 'Maya',
    role: 'tenant',
    created_at: testNow,
    updated_at: testNow,
  })
  const link = (kind: string, name: string) =>
    insert('access_links', {
      id: hash(name),
      kind,
      subject_id: `subject of ${name}`,
      person_id: 'maya',
      created_at: testNow,
      expires_at: later,
    })
  const reset = (name: string) => {
    const expires_at = '2026-03-04T18:00:00.000Z'
    insert('password_resets', { id: hash(name), user_id: 'maya', created_at: testNow, expires_at })
  }
  const mail = (kind: string, dedupe_key: string, props: object, status = 'queued') =>
    insert('outbox', {
      id: `mail ${dedupe_key}`,
      dedupe_key,
      kind,
      props: JSON.stringify(props),
      to_address: email,
      created_at: testNow,
      status,
      next_attempt_at: testNow,
    })
  const url = (page: string, name: string) => `https://condo.example/${page}${tokenOf(name)}`

  for (const [kind, name] of [
    ['invitation', 'invited'],
    ['email_old', 'moving'],
    ['email_undo', 'undoing'],
    ['not_me', 'disowning'],
    ['not_me', 'sent'],
  ] as const)
    link(kind, name)
  reset('resetting')
  reset('delivered')
  const stay = {
    firstName: 'Maya',
    applicationNumber: '1',
    applicationId: 'a',
    startDate: '2026-06-01',
    endDate: '2026-07-01',
  }
  const person = { email, displayName: 'Maya' }
  const at = { at: testNow, address: '203.0.113.7' }
  const unsent = { newEmail: 'new@guest.example', ...at }
  mail('invitation', `invitation:${hash('invited')}`, {
    ...stay,
    expiresAt: later,
    link: url('invitation#', 'invited'),
  })
  mail('password-reset', `password-reset:${hash('resetting')}`, {
    ...person,
    link: `${url('reset-password?token=', 'resetting')}&removable-factors`,
  })
  mail('password-reset', `password-reset:${hash('purged')}`, {
    ...person,
    link: url('reset-password?token=', 'purged'),
  })
  mail('email-change-link', `email-change:${hash('moving')}`, {
    ...unsent,
    side: 'old',
    userAgent: '',
    expiresAt: later,
    link: url('email-change#', 'moving'),
  })
  const changed = { oldEmail: email, newEmail: 'new@guest.example', at: testNow }
  mail('email-changed', `email-change:${hash('undoing')}`, {
    ...changed,
    undo: { link: url('email-undo#', 'undoing'), until: later },
  })
  mail('email-changed', 'email-changed:1', { ...changed, undo: null })
  mail('new-login', 'new-login:maya:2026-03-04:203.0.113.0/24:Firefox', {
    displayName: 'Maya',
    browser: 'Firefox',
    ...at,
    link: url('not-me#', 'disowning'),
  })
  mail(
    'new-login',
    'new-login:maya:2026-03-03:203.0.113.0/24:Firefox',
    { link: url('not-me#', 'sent') },
    'sent',
  )
  old.close()
  return testApp({ env: { DATABASE_FILE: store.databaseFile } })
}

test('mails that wait at the upgrade arrive with new links; their old tokens are gone and dead, others work on [FIX-28]', async () => {
  const app = await openUpgraded()
  const rows = JSON.stringify(everyRow(app))
  for (const name of ['invited', 'resetting', 'purged', 'moving', 'undoing', 'disowning', 'sent'])
    expect(rows, name).not.toContain(tokenOf(name))

  const use = (path: string, token: string) =>
    call(app, 'POST', path, { body: { token, newPassword: 'a tide' } })
  for (const name of ['resetting', 'purged'])
    expect((await use('/api/auth/reset-password', tokenOf(name))).status, name).toBe(400)
  expect((await use('/api/session/not-me', tokenOf('disowning'))).status).toBe(404)

  const worker = startMailWorker(app.deps, mailSources)
  await worker.deliverDue()
  await worker.stop()
  expect(
    app.deps.db
      .select()
      .from(outbox)
      .all()
      .map(({ status }) => status),
  ).toEqual(Array(8).fill('sent'))
  const tokens = (page: string) =>
    app.sentMails.flatMap(({ text }) => text.match(new RegExp(`(?<=/${page})[\\w-]{43}\\S*(?=\\s+Or)`)) ?? [])
  for (const [page, count] of [
    ['invitation#', 1],
    ['email-change#', 1],
    ['email-undo#', 1],
    ['not-me#', 1],
    [String.raw`reset-password\?token=`, 2],
  ] as const)
    expect(tokens(page), page).toHaveLength(count)
  await app.as(visitor).sessions.notMe({ token: tokens('not-me#')[0] ?? '' })
})

test('a link that was delivered before the upgrade still works [FIX-28]', async () => {
  const app = await openUpgraded()
  const body = { token: tokenOf('delivered'), newPassword: 'another tide' }
  expect((await call(app, 'POST', '/api/auth/reset-password', { body })).status).toBe(200)
  expect((await call(app, 'POST', '/api/auth/reset-password', { body })).status).toBe(400)
})
