import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import {
  accessLinks,
  applications,
  emailChanges,
  events,
  leases,
  linkTokens,
  outbox,
  sessions,
  users,
} from '../../../../../db/schema.ts'
import { call, isSessionValid, logInAs, resetTokens } from '../../../../testing/build-account.ts'
import { makeBooking, makePending } from '../../../../testing/build-application.ts'
import { changeEmail, confirmBoth, emailOf, emailTokens } from '../../../../testing/build-email-change.ts'
import { buildEntry, invitationTokens } from '../../../../testing/build-entry.ts'
import {
  challengeFor,
  codeOf,
  enableTwoStep,
  plainHash,
  plainPassword,
  proveMailbox,
} from '../../../../testing/build-factor.ts'
import { everyRow } from '../../../../testing/every-row.ts'
import { type TestApp, testApp, visitor } from '../../../../testing/test-app.ts'
import { sha256 } from '../../../lib/sha256.ts'
import { startMailWorker } from '../../../mail/worker.ts'
import { mailSources } from '../../../mail-sources.ts'
import { createLink, issueToken } from '../../sessions/access-links.ts'

const hour = 3_600_000
const day = 24 * hour
const [oldEmail, newEmail, third] = ['Maya@guest.example', 'maya@new.example', 'maya@third.example']
const invalid = 'This link is invalid or has expired.'
const ended = { status: 401, body: expect.objectContaining({ error: 'Your session has ended.' }) }

async function open() {
  const app = await testApp()
  const maya = await app.makeTenant({ email: oldEmail, passwordHash: plainHash })
  const login = async () => (await logInAs(app, emailOf(app, maya), plainPassword)).body.token as string
  const confirm = (token: string | undefined, headers = {}) =>
    call(app, 'POST', '/api/person/email/confirm', { body: { token }, headers })
  const undo = (token: string | undefined) => call(app, 'POST', '/api/person/email/undo', { body: { token } })
  const tokens = (to: string) => emailTokens(app, 'email-change', to)
  const undoTokens = (to: string) => emailTokens(app, 'email-undo', to)
  return { app, maya, login, confirm, undo, tokens, undoTokens, me: () => app.as(maya).emailChange }
}
const mailsTo = (app: TestApp, to: string) =>
  app.deps.db.select().from(outbox).where(eq(outbox.toAddress, to)).all()
const eventKinds = (app: TestApp) =>
  app.deps.db
    .select()
    .from(events)
    .all()
    .map(({ kind }) => kind)

describe('a change of email', () => {
  test('takes along what waits to be mailed about the bookings, also the address that the owner answers to, except what is about signing, and no mail of another account or that was sent [SAFE-27]', async () => {
    const { app, maya } = await open()
    const other = await app.makeTenant({ email: third })
    const [{ id }, { id: foreign }] = [await makePending(app, maya), await makePending(app, other)]
    const rows: [string, string, typeof outbox.$inferSelect.status, string][] = [
      ['application-approved', id, 'queued', newEmail],
      ['lease-ready', id, 'held', newEmail],
      ['payment-receipt', id, 'failed', newEmail],
      ['application-received', id, 'sent', oldEmail],
      ['sign-invitation', id, 'queued', oldEmail],
      ['signing-voided', id, 'queued', oldEmail],
      ['lease-ready', foreign, 'queued', oldEmail],
    ]
    const at = app.deps.clock.now().toISOString()
    const mail = { props: {}, toAddress: oldEmail, createdAt: at, nextAttemptAt: at }
    await app.deps.write(tx => {
      tx.delete(outbox).run()
      for (const [i, [kind, applicationId, status]] of rows.entries())
        tx.insert(outbox)
          .values({ ...mail, id: `${i}`, dedupeKey: `${i}`, kind, applicationId, status })
          .run()
      const toOwner = {
        kind: 'owner-new-application',
        toAddress: third,
        applicationId: id,
        replyTo: oldEmail,
      }
      tx.insert(outbox)
        .values({ ...mail, ...toOwner, id: 'owner', dedupeKey: 'owner', status: 'queued' })
        .run()
    })
    await changeEmail(app, maya, newEmail)
    const to = (i: number) =>
      app.deps.db
        .select()
        .from(outbox)
        .where(eq(outbox.id, `${i}`))
        .get()?.toAddress
    expect(rows.map((_, i) => to(i))).toEqual(rows.map(([, , , address]) => address))
    expect(mailsTo(app, third)).toMatchObject([{ replyTo: newEmail }])
  })

  test.each([
    [oldEmail, newEmail],
    [newEmail, oldEmail],
  ])(
    'mails both addresses, and is made when %s and then %s have confirmed [SAFE-25]',
    async (first, second) => {
      const { app, confirm, maya, me, tokens, undoTokens } = await open()
      const { change } = await me().start({ newEmail: ` ${newEmail} ` })
      expect(change).toEqual({
        oldEmail,
        newEmail,
        createdAt: '2026-03-04T17:00:00.000Z',
        expiresAt: '2026-03-05T17:00:00.000Z',
        confirmedOld: false,
        confirmedNew: false,
      })
      expect(mailsTo(app, oldEmail)).toMatchObject([
        { kind: 'email-change-link', validUntil: change?.expiresAt },
      ])
      expect(mailsTo(app, newEmail)).toMatchObject([{ kind: 'email-change-link' }])
      expect(emailOf(app, maya)).toBe(oldEmail)

      const [token] = tokens(first)
      const [other] = tokens(second)
      // Two confirmations from the same address count as one.
      for (let time = 0; time < 2; time++)
        expect(await confirm(token)).toMatchObject({ status: 200, body: { state: 'waiting' } })
      expect((await me().current()).change).toMatchObject({
        confirmedOld: first === oldEmail,
        confirmedNew: first === newEmail,
      })
      expect(emailOf(app, maya)).toBe(oldEmail)
      expect(await confirm(other)).toMatchObject({ status: 200, body: { state: 'done' } })
      expect(emailOf(app, maya)).toBe(newEmail)
      expect((await me().current()).change).toBeNull()
      expect((await logInAs(app, newEmail.toUpperCase(), plainPassword)).status).toBe(200)
      expect((await logInAs(app, oldEmail, plainPassword)).status).toBe(401)
      expect(eventKinds(app)).toEqual(
        expect.arrayContaining(['account.email_change_requested', 'account.email_changed']),
      )
      expect(undoTokens(oldEmail)).toHaveLength(1)
      expect(undoTokens(newEmail)).toEqual([])
      // Both links are used.
      for (const used of [token, other])
        expect(await confirm(used)).toMatchObject({ status: 404, body: { error: invalid } })
    },
  )

  test('stores only hashes of its links and keeps addresses and links out of the audit log [SAFE-15, SAFE-25]', async () => {
    const { app, maya, me } = await open()
    await me().start({ newEmail })
    const deliver = async () => {
      const worker = startMailWorker(app.deps, mailSources)
      await worker.deliverDue()
      await worker.stop()
    }
    /** The token in the mail with this subject to this address. */
    const tokenIn = (to: string, subject: string) => {
      const mail = app.sentMails.find(mail => mail.to === to && mail.subject === subject)
      expect(mail, `${subject} to ${to}`).toBeDefined()
      return /#([\w-]{43})\s/.exec(mail?.text ?? '')?.[1] ?? ''
    }
    await deliver()
    const links = [
      tokenIn(oldEmail, 'Confirm the change of your email address'),
      tokenIn(newEmail, 'Confirm your new email address'),
    ]
    for (const token of links) await app.as(visitor).emailChange.confirm({ token })
    await deliver()
    links.push(tokenIn(oldEmail, 'Your email address was changed'))
    expect(tokenIn(newEmail, 'Your email address was changed')).toBe('')
    expect(app.sentMails).toHaveLength(4)
    const stored = JSON.stringify(everyRow(app))
    for (const token of links) {
      expect(stored).not.toContain(token)
      expect(stored).toContain(sha256(token))
    }
    expect(JSON.stringify(app.deps.db.select().from(events).all())).not.toContain('@')
    expect(emailOf(app, maya)).toBe(newEmail)
  })

  test('is rejected without a step-up and for the current address, and changes nothing [SAFE-16, SAFE-25]', async () => {
    const { app, login, me } = await open()
    const token = await login()
    const before = everyRow(app)
    const ask = (body: object) => call(app, 'POST', '/api/person/email', { token, body })
    // A tenant's login is no step-up. The step-up is checked before the address.
    for (const address of [newEmail, oldEmail])
      expect(await ask({ newEmail: address })).toMatchObject({
        status: 403,
        body: { error: 'Please confirm that it is you.', stepUp: ['password'] },
      })
    expect(everyRow(app)).toEqual(before)
    await expect(me().start({ newEmail: 'MAYA@guest.example' })).rejects.toMatchObject({
      cause: { code: 'bad_request', fields: { newEmail: 'This is already your email address.' } },
    })
    expect(app.deps.db.select().from(emailChanges).all()).toEqual([])
    expect(app.deps.db.select().from(outbox).all()).toEqual([])
  })

  test('is limited to five an hour by person and by new address', async () => {
    const { app, me } = await open()
    for (let at = 0; at < 5; at++) await me().start({ newEmail })
    await expect(me().start({ newEmail: third })).rejects.toMatchObject({ cause: { code: 'too_many' } })
    const other = await app.makeTenant()
    await expect(app.as(other).emailChange.start({ newEmail })).rejects.toMatchObject({
      cause: { code: 'too_many' },
    })
  })

  test('ends when the password is replaced, or when the account gets its first factor [SAFE-25]', async () => {
    const { app, confirm, maya, me, tokens } = await open()
    await me().start({ newEmail })
    await app.as(visitor).accounts.forgotPassword({ email: oldEmail })
    await app
      .as(visitor)
      .accounts.resetPassword({ token: resetTokens(app, oldEmail)[0] ?? '', newPassword: 'another tide' })
    expect((await me().current()).change).toBeNull()

    await me().start({ newEmail })
    const [token] = tokens(newEmail)
    app.advance(1)
    await enableTwoStep(app, maya, 'another tide')
    expect((await me().current()).change).toBeNull()
    expect((await confirm(token)).status).toBe(404)
    // After a step-up with the second factor the change works as usual.
    app.advance(1)
    await changeEmail(app, maya, newEmail)
    expect(emailOf(app, maya)).toBe(newEmail)
  })

  test('works with a factor that was added while the clock was ahead [SAFE-25]', async () => {
    const { app, maya } = await open()
    app.advance(365 * day)
    await proveMailbox(app, maya)
    await enableTwoStep(app, maya)
    app.advance(-365 * day)
    await changeEmail(app, maya, newEmail)
    expect(emailOf(app, maya)).toBe(newEmail)
  })
})

describe('a new address that is taken', () => {
  test('gets the same response and the same rows, is mailed that it has an account, and nothing changes [SAFE-26]', async () => {
    const { app, confirm, maya, me, tokens } = await open()
    await app.makeTenant({ email: 'Ada@guest.example' })
    const shape = async (address: string) => {
      const { change } = await me().start({ newEmail: address })
      const [confirmed] = tokens(oldEmail)
      const answer = await confirm(confirmed)
      const links = app.deps.db.select().from(accessLinks).all()
      return JSON.stringify([
        change,
        answer.status,
        answer.body,
        await me().current(),
        links.length,
      ]).replaceAll(address, 'ADDRESS')
    }
    const free = await shape(newEmail)
    await app.deps.write(tx => {
      tx.delete(linkTokens).run()
      tx.delete(accessLinks).run()
      tx.delete(emailChanges).run()
    })
    expect(await shape('ada@GUEST.example')).toBe(free)
    expect(tokens('ada@GUEST.example')).toEqual([])
    expect(mailsTo(app, 'ada@GUEST.example')).toMatchObject([
      { kind: 'email-change-taken', props: { email: 'ada@GUEST.example' } },
    ])
    expect(emailOf(app, maya)).toBe(oldEmail)
  })

  test('goes to one of two people who confirm simultaneously, and is changed by one of ten simultaneous clicks [SAFE-26, SAFE-29]', async () => {
    const { app, confirm, maya, me, tokens } = await open()
    const other = await app.makeTenant({ email: 'ada@guest.example' })
    await me().start({ newEmail })
    const [mine] = tokens(newEmail)
    await app.as(other).emailChange.start({ newEmail })
    const theirs = tokens(newEmail)[0]
    await Promise.all([confirm(tokens(oldEmail)[0]), confirm(tokens('ada@guest.example')[0])])
    const answers = await Promise.all(
      [mine, theirs].flatMap(token => Array(5).fill(token)).map(one => confirm(one)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect([emailOf(app, maya), emailOf(app, other)]).toEqual([newEmail, 'ada@guest.example'])
    expect(eventKinds(app).filter(kind => kind === 'account.email_changed')).toHaveLength(1)
  })
})

describe('when the change is made', () => {
  test('all other sessions, resets and links of the person end [SAFE-27]', async () => {
    const { app, confirm, login, maya, me, tokens } = await open()
    const here = await login()
    const elsewhere = await login()
    const stranger = await app.makeTenant()
    await app.as(stranger).emailChange.start({ newEmail: third })
    await app.as(visitor).accounts.forgotPassword({ email: oldEmail })
    const [reset = ''] = resetTokens(app, oldEmail)
    const owner = await app.makeAdmin()
    await app.deps.write(tx => {
      for (const kind of ['invitation', 'site_preview', 'not_me'] as const)
        createLink(tx, app.deps.clock.now().toISOString(), {
          kind,
          subjectId: 'x',
          personId: maya.userId,
        })
    })
    await me().start({ newEmail })
    await confirm(tokens(oldEmail)[0])
    expect(await isSessionValid(app, elsewhere)).toBe(true)
    const own = { authorization: `Bearer ${here}` }
    expect((await confirm(tokens(newEmail)[0], own)).body).toEqual({ state: 'done' })

    expect(await isSessionValid(app, here)).toBe(true)
    expect(await call(app, 'GET', '/api/auth/profile', { token: elsewhere })).toMatchObject(ended)
    expect(
      (await call(app, 'POST', '/api/auth/reset-password', { body: { token: reset, newPassword: 'a tide' } }))
        .status,
    ).toBe(400)
    const live = app.deps.db
      .select()
      .from(accessLinks)
      .all()
      .filter(({ revokedAt }) => revokedAt === null)
    expect(live.map(({ kind, personId }) => [kind, personId === maya.userId])).toEqual([
      ['email_old', false],
      ['email_new', false],
      ['email_undo', true],
    ])
    expect(await app.as(owner).accounts.getUser({ userId: maya.userId })).toMatchObject({
      user: { email: newEmail },
    })
  })

  test('contact addresses of applications change only if that box was checked, and a signed lease never changes [SAFE-27]', async () => {
    const { app, maya, undo, undoTokens } = await open()
    const owner = await app.makeAdmin()
    const { id } = await makeBooking(app, maya, owner)
    await app
      .as(owner)
      .leases.generate({ applicationId: id, leaseStartDate: '2026-06-01', leaseEndDate: '2026-07-01' })
    await app.deps.write(tx => tx.update(leases).set({ signedAt: '2026-03-04T17:00:00.000Z' }).run())
    const lease = () => app.deps.db.select().from(leases).all()
    const contact = () => app.deps.db.select().from(applications).get()?.email
    const before = lease()
    await changeEmail(app, maya, newEmail)
    expect(contact()).toBe(oldEmail)
    await changeEmail(app, maya, oldEmail)
    await changeEmail(app, maya, newEmail, true)
    expect(contact()).toBe(newEmail)
    await changeEmail(app, maya, third, true)
    expect(contact()).toBe(third)
    expect(lease()).toEqual(before)
    // Undoing the changes also restores the contact address.
    expect((await undo(undoTokens(oldEmail)[0])).status).toBe(200)
    expect([contact(), emailOf(app, maya)]).toEqual([oldEmail, oldEmail])
  })
})

test('a login that waits for its second step ends when the change is made and when it is undone [SAFE-27, SAFE-28]', async () => {
  const { app, maya, undo, undoTokens } = await open()
  const { secret } = await enableTwoStep(app, maya)
  const halfLogin = async () => {
    app.advance(30_000)
    const challenge = await challengeFor(app, emailOf(app, maya))
    return () =>
      call(app, 'POST', '/api/factor/challenge', { body: { challenge, code: codeOf(app, secret) } })
  }
  const before = await halfLogin()
  await changeEmail(app, maya, newEmail)
  expect((await before()).status).toBe(401)
  const after = await halfLogin()
  expect((await undo(undoTokens(oldEmail)[0])).status).toBe(200)
  expect((await after()).status).toBe(401)
})

describe('the former address', () => {
  test('undoes the change with one link: all sessions end, and a new password must be set [SAFE-28]', async () => {
    const { app, login, maya, undo, undoTokens } = await open()
    await changeEmail(app, maya, newEmail, true)
    const thief = await login()
    await app.as(maya).emailChange.start({ newEmail: third })
    await app.as(visitor).accounts.forgotPassword({ email: newEmail })
    const [thiefsReset = ''] = resetTokens(app, newEmail)
    app.advance(7 * day - 1)
    const session = (await logInAs(app, newEmail, plainPassword)).body.token
    const [token] = undoTokens(oldEmail)
    // Mailed to the address that loses the account: it must not void the password that is set next.
    const link = { kind: 'not_me', subjectId: 'x', personId: maya.userId } as const
    const at = app.deps.clock.now().toISOString()
    const notMe = await app.deps.write(tx => issueToken(tx, at, createLink(tx, at, link).id))
    expect(await undo(token)).toMatchObject({ status: 200, body: { state: 'undone' } })
    expect((await call(app, 'POST', '/api/session/not-me', { body: { token: notMe?.token } })).status).toBe(
      404,
    )

    expect(emailOf(app, maya)).toBe(oldEmail)
    expect(await call(app, 'GET', '/api/auth/profile', { token: session })).toMatchObject(ended)
    expect(await isSessionValid(app, thief)).toBe(false)
    for (const email of [oldEmail, newEmail])
      expect((await logInAs(app, email, plainPassword)).status).toBe(401)
    expect((await app.as(maya).emailChange.current()).change).toBeNull()
    const reset = (given: string) =>
      call(app, 'POST', '/api/auth/reset-password', { body: { token: given, newPassword: 'mine again' } })
    expect((await reset(thiefsReset)).status).toBe(400)
    expect((await reset(resetTokens(app, oldEmail)[0] ?? '')).status).toBe(200)
    expect((await logInAs(app, oldEmail, 'mine again')).status).toBe(200)
    expect(eventKinds(app)).toContain('account.email_change_undone')
    expect(await undo(token)).toMatchObject({ status: 404, body: { error: invalid } })
    expect(emailOf(app, maya)).toBe(oldEmail)
  })

  test('has an invalid undo link once somebody registered it after a wrong clock [SAFE-28]', async () => {
    const { app, maya, undo, undoTokens } = await open()
    app.advance(10 * day)
    await changeEmail(app, maya, newEmail)
    const [ahead] = undoTokens(oldEmail)
    app.advance(-10 * day)
    await app
      .as(visitor)
      .accounts.register({ firstName: 'Eve', lastName: 'Low', email: oldEmail, password: 'eve and low' })
    app.advance(11 * day)
    expect((await undo(ahead)).status).toBe(404)
    expect(emailOf(app, maya)).toBe(newEmail)
  })

  test('is reserved for its owner for seven days, on every path that takes an address [SAFE-28]', async () => {
    const { app, maya } = await open()
    const owner = await app.makeAdmin()
    const { application: entered } = await app.as(owner).manualBookings.create(buildEntry())
    await changeEmail(app, maya, newEmail)
    const form = { firstName: 'Eve', lastName: 'Low', email: oldEmail.toUpperCase(), password: 'eve and low' }
    const ways = [
      () => app.as(visitor).accounts.register(form),
      () =>
        app
          .as(owner)
          .manualBookings.create(
            buildEntry({ email: oldEmail, startDate: '2027-11-01', endDate: '2027-12-01' }),
          ),
      () => app.as(owner).manualBookings.invite({ applicationId: entered.id, email: oldEmail }),
    ]
    for (const way of ways) await expect(way()).rejects.toMatchObject({ cause: { code: 'conflict' } })
    const other = await app.makeTenant()
    await app.as(other).emailChange.start({ newEmail: oldEmail })
    expect(mailsTo(app, oldEmail).at(-1)?.kind).toBe('email-change-taken')
    // The owner may take it back.
    await changeEmail(app, maya, oldEmail)
    await changeEmail(app, maya, newEmail)
    app.advance(7 * day)
    await ways[0]?.()
    expect(await app.deps.db.$count(users, eq(users.emailKey, oldEmail.toLowerCase()))).toBe(1)
  })
})

test('a newer change replaces the older, and a canceled one is gone: their links stop working and unsent mails are withdrawn [SAFE-29]', async () => {
  const { app, confirm, maya, me, tokens } = await open()
  await me().start({ newEmail })
  const older = [...tokens(oldEmail), ...tokens(newEmail)]
  await confirm(older[0])
  await me().start({ newEmail: third })
  expect(mailsTo(app, newEmail)).toEqual([])
  for (const token of older)
    expect(await confirm(token)).toMatchObject({ status: 404, body: { error: invalid } })
  expect((await me().current()).change).toMatchObject({ newEmail: third, confirmedOld: false })
  const newer = [...tokens(oldEmail), ...tokens(third)]
  for (let time = 0; time < 2; time++)
    expect(await me().giveUp()).toEqual({ message: 'The change was canceled.' })
  expect((await me().current()).change).toBeNull()
  for (const token of newer) expect((await confirm(token)).status).toBe(404)
  expect(emailOf(app, maya)).toBe(oldEmail)
})

test('returns an error and stores nothing when mail is not set up [SAFE-30]', async () => {
  const { app, me } = await open()
  app.deps.mail = undefined
  const before = everyRow(app)
  await expect(me().start({ newEmail })).rejects.toMatchObject({
    message: 'Mail is not set up.',
    cause: { code: 'unavailable' },
  })
  expect({ ...everyRow(app), sessions: '' }).toEqual({ ...before, sessions: '' })
})

test('rejects a link of one kind for another, and no link works as a session token', async () => {
  const { app, confirm, maya, me, tokens, undo, undoTokens } = await open()
  await me().start({ newEmail })
  const confirming = [...tokens(oldEmail), ...tokens(newEmail)]
  for (const token of [...confirming, 'x'.repeat(43)]) expect((await undo(token)).status).toBe(404)
  await confirmBoth(app, oldEmail, newEmail)
  const [undoing = ''] = undoTokens(oldEmail)
  expect((await confirm(undoing)).status).toBe(404)
  for (const token of [...confirming, undoing]) {
    expect(await isSessionValid(app, token)).toBe(false)
    expect(invitationTokens(app, token)).toEqual([])
  }
  expect(emailOf(app, maya)).toBe(newEmail)
  expect(resetTokens(app, newEmail)).toEqual([])
  expect(app.deps.db.select().from(sessions).all()).toHaveLength(1)
})

test('cancels the change silently when the address got an account in the meantime [SAFE-26]', async () => {
  const { app, confirm, maya, me, tokens } = await open()
  await me().start({ newEmail })
  await confirm(tokens(newEmail)[0])
  await app.makeTenant({ email: newEmail.toUpperCase() })
  expect(await confirm(tokens(oldEmail)[0])).toMatchObject({ status: 404, body: { error: invalid } })
  expect((await me().current()).change).toBeNull()
  expect(app.deps.db.select().from(emailChanges).get()?.cancelledAt).not.toBeNull()
  expect(emailOf(app, maya)).toBe(oldEmail)
})
