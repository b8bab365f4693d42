import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { applications, outbox, users } from '../../../../db/schema.ts'
import {
  deadInvitationMessage,
  noMailMessage,
  usedInvitationMessage,
} from '../../../domain/bookings/booking-entry.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { call, isSessionValid, logInAs, resetTokens } from '../../../testing/build-account.ts'
import { buildApplication } from '../../../testing/build-application.ts'
import { changeEmail, emailTokens } from '../../../testing/build-email-change.ts'
import { buildCsv, buildEntry, invitationTokens } from '../../../testing/build-entry.ts'
import { enableTwoStep } from '../../../testing/build-factor.ts'
import { everyRow } from '../../../testing/every-row.ts'
import { type TestApp, testApp, testOrigin, visitor } from '../../../testing/test-app.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { startMailWorker } from '../../mail/worker.ts'
import { mailSources } from '../../mail-sources.ts'

const newPassword = 'sea and sand'
const email = 'jon@guest.example'

async function openInvited(replace: Parameters<typeof testApp>[0] = {}) {
  const app = await testApp(replace)
  const owner = await app.makeAdmin()
  const { application } = await app.as(owner).manualBookings.create(buildEntry())
  const [token = ''] = invitationTokens(app, email)
  return { app, owner, application, token }
}
const read = (app: TestApp, token: string) => app.as(visitor).manualBookings.invitation({ token })
const accept = (app: TestApp, token: string) =>
  app.as(visitor).manualBookings.acceptInvitation({ token, newPassword })
const isDead = async (app: TestApp, token: string, message = deadInvitationMessage) => {
  await expect(read(app, token)).rejects.toThrow(message)
  await expect(accept(app, token)).rejects.toThrow(message)
}
const isUsed = (app: TestApp, token: string) => isDead(app, token, usedInvitationMessage)
const accountOf = (app: TestApp) => app.deps.db.select().from(users).where(eq(users.emailKey, email)).get()

describe('an account without a password', () => {
  test('blocks a registration with its email [OWN-10]', async () => {
    const { app } = await openInvited()
    const body = { firstName: 'Eve', lastName: 'Low', email: 'JON@guest.example', password: newPassword }
    expect((await call(app, 'POST', '/api/auth/register', { body })).status).toBe(409)
    expect(accountOf(app)?.passwordHash).toBeNull()
  })

  test('gets a password by a reset, which ends the invitations and withdraws their mails [OWN-10, OWN-12]', async () => {
    const { app, token, owner, application } = await openInvited()
    await app.as(visitor).accounts.forgotPassword({ email })
    const [reset = ''] = resetTokens(app, email)
    await app.as(visitor).accounts.resetPassword({ token: reset, newPassword })
    expect((await logInAs(app, email, newPassword)).status).toBe(200)
    await isUsed(app, token)
    expect(invitationTokens(app, email)).toEqual([])
    const shown = await app.as(owner).applications.adminGet({ id: application.id })
    expect(shown.application.invitation?.acceptedAt).toBe('2026-03-04T17:00:00.000Z')
  })
})

describe('without a mail server', () => {
  test('an invitation is refused with the reason, and nothing is stored [FIX-28]', async () => {
    const app = await testApp({ replace: { mail: undefined } })
    const owner = await app.makeAdmin()
    const refusal = { cause: { code: 'conflict', message: noMailMessage, fields: { invite: noMailMessage } } }
    const before = everyRow(app)
    await expect(app.as(owner).manualBookings.create(buildEntry())).rejects.toMatchObject(refusal)
    const file = { csv: buildCsv(), skipDuplicates: false, invite: true, dryRun: false }
    await expect(app.as(owner).manualBookings.import(file)).rejects.toMatchObject(refusal)
    expect({ ...everyRow(app), sessions: '' }).toEqual({ ...before, sessions: '' })

    const { application } = await app.as(owner).manualBookings.create({ ...buildEntry(), invite: false })
    const invite = () => app.as(owner).manualBookings.invite({ applicationId: application.id })
    await expect(invite()).rejects.toMatchObject(refusal)
    expect(application.invitation ?? null).toBeNull()
    app.deps.mail = { send: async () => {} }
    await invite()
    expect(invitationTokens(app, email)).toHaveLength(1)
  })
})

describe('the mail', () => {
  test('has the token in the fragment of its link, describes the stay, and alone holds the token [OWN-11, OWN-12]', async () => {
    const { app, application } = await openInvited()
    const worker = startMailWorker(app.deps, mailSources)
    await worker.deliverDue()
    await worker.stop()
    const [mail] = app.sentMails
    expect(mail?.subject).toBe(`Your stay at ${app.deps.config.site.propertyName}: please set your password`)
    const [, origin, token = ''] = /(\S+)\/invitation#([\w-]{43})\/application\//.exec(mail?.text ?? '') ?? []
    expect(origin).toBe(app.deps.config.origin)
    expect((await read(app, token)).invitation.email).toBe(email)
    expect(mail?.text).toContain(application.applicationNumber)
    expect(mail?.text).toContain('Sep 1, 2027')
    expect(app.deps.db.select().from(outbox).get()?.status).toBe('sent')
    expect(JSON.stringify(everyRow(app))).not.toContain(token)
  })

  test('confirms the stay without a token to somebody with a password [OWN-11]', async () => {
    const app = await testApp()
    const owner = await app.makeAdmin()
    await app.makeTenant({ email })
    await app.as(owner).manualBookings.create(buildEntry())
    const worker = startMailWorker(app.deps, mailSources)
    await worker.deliverDue()
    await worker.stop()
    expect(app.sentMails.map(({ subject }) => subject)).toEqual([
      `Your stay at ${app.deps.config.site.propertyName} is booked`,
    ])
    expect(app.sentMails[0]?.text).not.toContain('invitation')
  })

  test('is withdrawn when the booking is deleted or cancelled before it is sent [OWN-12, CHANGE-11]', async () => {
    const { app, owner, application } = await openInvited()
    await app.makeTenant({ email: 'known@guest.example' })
    const other = await app
      .as(owner)
      .manualBookings.create(
        buildEntry({ email: 'known@guest.example', startDate: '2027-11-01', endDate: '2027-12-01' }),
      )
    expect(app.deps.db.select().from(outbox).all()).toHaveLength(2)
    await app.as(owner).applications.adminDelete({ id: other.application.id })
    await app
      .as(owner)
      .cancellations.cancel({ applicationId: application.id, side: 'owner', reason: 'A pipe burst.' })
    const left = app.deps.db.select().from(outbox).all()
    expect(left.map(({ kind }) => kind)).toEqual(['stay-cancelled'])
  })
})

describe('a mail about a booking whose guest was never invited', () => {
  const mailed = async (app: TestApp, to: string, applicationId: string) => {
    const props = { applicationId, firstName: 'Jon', subject: 'The keys', message: 'They are ready.' }
    const mail = { kind: 'message-to-guest', to, dedupeKey: randomUUID(), props } as const
    await app.deps.write(tx => enqueueMail(tx, app.deps.clock.now().toISOString(), mail))
    const worker = startMailWorker(app.deps, mailSources)
    await worker.deliverDue()
    await worker.stop()
    return app.sentMails.at(-1)?.text ?? ''
  }
  const tokenIn = (text: string) => /\/invitation#([\w-]{43})\/application\//.exec(text)?.[1]
  const notInvited = async ({ isRegistered = false, awaitsMailbox = true } = {}) => {
    const app = await testApp()
    if (isRegistered) await app.makeTenant({ email, mailboxProvenAt: null })
    const owner = await app.makeAdmin()
    const { application } = await app.as(owner).manualBookings.create(buildEntry({ invite: false }))
    await app.deps.write(tx => tx.update(applications).set({ awaitsMailbox }).run())
    return { app, owner, id: application.id }
  }

  test.each([
    ['there is no password', {}],
    ['a stranger registered the address', { isRegistered: true }],
    ['the booking is from before addresses were proven', { awaitsMailbox: false }],
  ])(
    'leads in by a link that works once where %s, and afterwards to the booking [FIX-27, FIX-28, OWN-12]',
    async (_, site) => {
      const { app, id } = await notInvited(site)
      const first = await mailed(app, email, id)
      const token = tokenIn(first) ?? ''
      expect(first).toContain(
        'It works once, until Apr 3, 2026. Later, use “Forgot password” on the login page.',
      )
      expect(first).not.toContain(`${app.deps.config.origin}/application/`)
      expect(JSON.stringify(everyRow(app))).not.toContain(token)
      expect(app.deps.db.select().from(outbox).get()?.words).toContain(`/application/${id}`)
      expect(tokenIn(await mailed(app, email, id))).toBeDefined()
      await accept(app, token)
      await isUsed(app, token)
      expect(await mailed(app, email, id)).toContain(`${app.deps.config.origin}/application/${id}`)
    },
  )

  test('does not prolong the links of earlier mails [OWN-12]', async () => {
    const { app, id } = await notInvited()
    const token = tokenIn(await mailed(app, email, id)) ?? ''
    app.advance(29 * dayMs)
    await mailed(app, email, id)
    await expect(read(app, token)).resolves.toBeDefined()
    app.advance(2 * dayMs)
    await mailed(app, email, id)
    await expect(read(app, token)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('has no such link for a former address, another guest, a deleted booking and an account that the guest has [FIX-27, OWN-16]', async () => {
    const { app, owner, id } = await notInvited()
    await app.as(owner).manualBookings.invite({ applicationId: id, email: 'jon.reyes@guest.example' })
    expect(tokenIn(await mailed(app, 'jon.reyes@guest.example', id))).toBeDefined()
    const other = buildEntry({ email: 'ann@guest.example', startDate: '2028-03-01', endDate: '2028-04-01' })
    await app.as(owner).manualBookings.create({ ...other, invite: false })
    const texts = [await mailed(app, email, id), await mailed(app, 'ann@guest.example', id)]
    await app.as(owner).applications.adminDelete({ id })
    texts.push(await mailed(app, 'jon.reyes@guest.example', id))
    const tenant = await app.makeTenant({ email: 'maya@guest.example', mailboxProvenAt: null })
    const { application } = await app.as(tenant).applications.createAndSubmit(buildApplication())
    texts.push(await mailed(app, 'maya@guest.example', application.id))
    expect(texts.map(tokenIn)).toEqual(texts.map(() => undefined))
  })

  test('keeps of a refusal that quotes it only the status [FIX-28]', async () => {
    const { app, id } = await notInvited()
    app.deps.mail = {
      send: async ({ text }) => {
        const response = `550 5.7.1 ${text}`
        throw Object.assign(new Error(response), { response })
      },
    }
    await mailed(app, email, id)
    expect(app.deps.db.select().from(outbox).get()?.lastError).toBe('550 5.7.1')
  })
})

describe('the link', () => {
  test('can be read any number of times without changing anything [OWN-13]', async () => {
    const { app, token, application } = await openInvited()
    const before = app.deps.dataVersion()
    for (let i = 0; i < 3; i++)
      expect((await read(app, token)).invitation).toEqual({
        firstName: 'Jon',
        email,
        propertyName: app.deps.config.site.propertyName,
        applicationNumber: application.applicationNumber,
        startDate: '2027-09-01',
        endDate: '2027-10-01',
        expiresAt: '2026-04-03T17:00:00.000Z',
        isRegistered: false,
      })
    expect(app.deps.dataVersion()).toBe(before)
  })

  test('sets the password once, ends all invitations of the person and logs them in [OWN-14]', async () => {
    const { app, owner, token, application } = await openInvited()
    await app.as(owner).manualBookings.create(buildEntry({ startDate: '2027-11-01', endDate: '2027-12-01' }))
    const [second = ''] = invitationTokens(app, email)
    const short = await call(app, 'POST', '/api/booking/invitation/accept', {
      body: { token, newPassword: 'short' },
    })
    expect(short).toMatchObject({
      status: 400,
      body: { error: 'Password must be at least 6 characters long' },
    })
    const accepted = await call(app, 'POST', '/api/booking/invitation/accept', {
      body: { token, newPassword },
    })
    expect(accepted).toMatchObject({ status: 200, body: { user: { email, firstName: 'Jon' } } })
    expect(await isSessionValid(app, accepted.body.token)).toBe(true)
    expect((await logInAs(app, email, newPassword)).status).toBe(200)
    await isUsed(app, token)
    await isUsed(app, second)
    const shown = await app.as(owner).applications.adminGet({ id: application.id })
    expect(shown.application.invitation?.acceptedAt).toBe('2026-03-04T17:00:00.000Z')
  })

  test('sets one password when accepted twice simultaneously [OWN-14]', async () => {
    const { app, token } = await openInvited()
    const both = await Promise.allSettled(
      ['first of both', 'second of both'].map(newPassword =>
        app.as(visitor).manualBookings.acceptInvitation({ token, newPassword }),
      ),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const statuses = await Promise.all(
      ['first of both', 'second of both'].map(async password => (await logInAs(app, email, password)).status),
    )
    expect(statuses.toSorted()).toEqual([200, 401])
  })

  test.each([
    ['unknown', async () => 'a'.repeat(43)],
    ['no token at all', async () => ''],
    [
      'expired',
      async ({ app, token }) => {
        app.advance(30 * dayMs)
        return token
      },
    ],
    [
      'of a deleted booking',
      async ({ app, owner, application, token }) => {
        await app.as(owner).applications.adminDelete({ id: application.id })
        return token
      },
    ],
    [
      'replaced by a newer one',
      async ({ app, owner, application, token }) => {
        await app.as(owner).manualBookings.invite({ applicationId: application.id })
        return token
      },
    ],
  ] as [string, (opened: Awaited<ReturnType<typeof openInvited>>) => Promise<string>][])(
    'returns the same error if it is: %s [OWN-15]',
    async (_, tokenOf) => {
      const opened = await openInvited()
      const token = await tokenOf(opened)
      await isDead(opened.app, token)
      const { status, body } = await call(opened.app, 'POST', '/api/booking/invitation', { body: { token } })
      expect({ status, error: body.error }).toEqual({ status: 404, error: deadInvitationMessage })
    },
  )

  test('can be tried 40 times from one address in 15 minutes [OWN-15]', async () => {
    const { app, token } = await openInvited()
    const statuses: number[] = []
    for (let i = 0; i < 41; i++)
      statuses.push((await call(app, 'POST', '/api/booking/invitation', { body: { token } })).status)
    expect(statuses).toEqual([...Array(40).fill(200), 429])
  })
})

test('no token gets into the log, even on errors [OWN-12]', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: line => void lines.push(line) })
  const { app, token } = await openInvited({ replace: { log } })
  const worker = startMailWorker(
    { ...app.deps, mail: { send: () => Promise.reject(new Error('down')) } },
    mailSources,
  )
  await worker.deliverDue()
  await worker.stop()
  for (const [url, status] of [
    ['/api/booking/invitation', 200],
    ['/trpc/manualBookings.invitation', 200],
    ['/api/booking/invitation/accept', 400],
  ] as const) {
    const { statusCode } = await app.http.inject({
      method: 'POST',
      url,
      payload: { token, newPassword: 'short' },
    })
    expect(statusCode, url).toBe(status)
  }
  await app.http.inject({ method: 'GET', url: '/api/booking/invitation' })
  expect(lines.length).toBeGreaterThan(4)
  expect(lines.filter(line => line.includes(token))).toEqual([])
})

describe('inviting again', () => {
  test('revokes the older link and can correct the email of the account and its bookings [OWN-16]', async () => {
    const { app, owner, application, token } = await openInvited()
    await app.as(visitor).accounts.forgotPassword({ email })
    const [reset = ''] = resetTokens(app, email)
    const corrected = 'jon.reyes@guest.example'
    app.advance(1000)
    expect(
      await app.as(owner).manualBookings.invite({ applicationId: application.id, email: corrected }),
    ).toEqual({
      message: 'Invitation sent',
    })
    await isDead(app, token)
    await expect(app.as(visitor).accounts.resetPassword({ token: reset, newPassword })).rejects.toThrow(
      /invalid or has expired/,
    )
    const [newer = ''] = invitationTokens(app, corrected)
    expect((await read(app, newer)).invitation.email).toBe(corrected)
    const shown = (await app.as(owner).applications.adminGet({ id: application.id })).application
    expect(shown).toMatchObject({ email: corrected, userId: { email: corrected } })
    expect(shown.invitation?.sentAt).toBe('2026-03-04T17:00:01.000Z')
    expect(invitationTokens(app, email)).toEqual([])
  })

  test('keeps showing the valid invitation when another booking of the guest is deleted [OWN-15, OWN-16]', async () => {
    const { app, owner, application } = await openInvited()
    const told = async () => {
      const { invitation } = (await app.as(owner).applications.adminGet({ id: application.id })).application
      return invitation
    }
    const first = await told()
    app.advance(dayMs)
    const entry = buildEntry({ startDate: '2028-03-01', endDate: '2028-04-01' })
    const other = (await app.as(owner).manualBookings.create(entry)).application
    await app.as(owner).applications.adminDelete({ id: other.id })
    expect(await told()).toEqual(first)
    await app.as(owner).manualBookings.invite({ applicationId: application.id })
    await app.as(owner).manualBookings.invite({ applicationId: application.id })
    expect((await told())?.sentAt).toBe(app.deps.clock.now().toISOString())
  })

  test('is rejected for another account’s email, and if the guest has a password [OWN-16]', async () => {
    const { app, owner, application, token } = await openInvited()
    const invite = app.as(owner).manualBookings.invite
    const { id: applicationId } = application
    await app.makeTenant({ email: 'maya@guest.example' })
    await expect(invite({ applicationId, email: 'Maya@guest.example' })).rejects.toThrow(
      'Another account already uses this email address.',
    )
    expect((await read(app, token)).invitation.email).toBe(email)
    await accept(app, token)
    await expect(invite({ applicationId })).rejects.toThrow('This guest has a password already.')
  })

  test('is rejected for an account whose password was voided, so that it cannot skip its second step [OWN-16, SAFE-28]', async () => {
    const { app, owner, application, token } = await openInvited()
    await accept(app, token)
    const guest = { role: 'tenant', userId: application.userId.id, requestOrigin: testOrigin } as const
    await enableTwoStep(app, guest, newPassword)
    await changeEmail(app, guest, 'jon@elsewhere.example')
    const [undo = ''] = emailTokens(app, 'email-undo', email)
    await app.as(visitor).emailChange.undo({ token: undo })
    expect((await logInAs(app, email, newPassword)).status).toBe(401)
    const { invite, create } = app.as(owner).manualBookings
    await expect(invite({ applicationId: application.id, email: 'eve@guest.example' })).rejects.toThrow(
      'This guest has a password already.',
    )
    await create(buildEntry({ startDate: '2028-03-01', endDate: '2028-04-01' }))
    expect(invitationTokens(app, email)).toEqual([])
  })

  test('works five times in 24 hours [OWN-16]', async () => {
    const { app, owner, application } = await openInvited()
    const invite = () => app.as(owner).manualBookings.invite({ applicationId: application.id })
    for (let i = 0; i < 5; i++) {
      await invite()
      app.advance(60_000)
    }
    await expect(invite()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    app.advance(dayMs)
    expect(await invite()).toEqual({ message: 'Invitation sent' })
  })

  test('does not count invitations from a time when the clock was ahead', async () => {
    const { app, owner, application } = await openInvited()
    const invite = () => app.as(owner).manualBookings.invite({ applicationId: application.id })
    app.advance(365 * dayMs)
    for (let i = 0; i < 5; i++) await invite()
    app.advance(-365 * dayMs)
    expect(await invite()).toEqual({ message: 'Invitation sent' })
  })
})
