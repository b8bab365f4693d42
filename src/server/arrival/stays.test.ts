import crypto, { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, eq, like } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  applications,
  calendarEvents,
  events,
  lockCodes,
  outbox,
  payments,
  users,
} from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { describeBrowser } from '../../domain/accounts/user-agent.ts'
import { staySection } from '../../domain/arrival/stay-settings.ts'
import { tenantStep } from '../../domain/bookings/tenant-step.ts'
import { quickRepliesSection } from '../../domain/conversations/quick-reply.ts'
import { makeEvent, makeFeed } from '../../testing/build-calendar.ts'
import { buildEntry } from '../../testing/build-entry.ts'
import { makeLease, signLease } from '../../testing/build-lease.ts'
import { buildOffer, offerPerson, offerToken } from '../../testing/build-offer.ts'
import { buildManualPayment } from '../../testing/build-payment.ts'
import { storePayment, storeSignedPlan } from '../../testing/build-signed-plan.ts'
import { makeSigning, others, zoeEmail } from '../../testing/build-signing.ts'
import {
  checkIn,
  opening,
  password,
  pay,
  perStay,
  refusal,
  standing,
  stayApp,
} from '../../testing/build-stay.ts'
import { testApp, testNow, testOrigin, visitor } from '../../testing/test-app.ts'
import { startMailScheduler } from '../mail/scheduled-mails.ts'
import { listCriticalNotices, listNotices } from '../operations/notices/list-notices.ts'
import { saveSection } from '../site/settings.ts'
import type { CodeTask } from './code-tasks.ts'
import { holdGate, tickStays } from './gate.ts'
import { stayMails } from './mails.ts'

test('switched off, nothing of it is there, and the owner may write before switching on [STAY-01, STAY-02]', async () => {
  const { app, id, owner, save, tenant } = await stayApp()
  const { body, version } = await owner().settings.stay.get()
  await owner().settings.stay.save({ version, body: { ...body, enabled: false } })
  app.setNow(checkIn)
  await tickStays(app.deps)
  expect(await app.as(tenant).stays.get({ applicationId: id })).toEqual({ stay: null })
  expect(await refusal(app.as(tenant).stays.showWifi({ applicationId: id }))).toMatchObject({
    code: 'CONFLICT',
    message: 'Arrival information is switched off here.',
  })
  expect(app.deps.db.select().from(lockCodes).where(eq(lockCodes.lockId, perStay)).all()).toEqual([])
  expect((await listNotices(app.deps)).filter(({ id }) => id.startsWith('stay'))).toEqual([])
  await save('welcome', { text: 'Welcome!' })
  const late = { version: 2, body: { ...body, checkIn: '16:10' } }
  expect((await refusal(owner().settings.stay.save(late))).code).toBe('BAD_REQUEST')
})

test('who has signed is not told to sign while others are missing [STAY-09, SIGNER-07]', async () => {
  const app = await testApp()
  const { admin, id, sign, tenant, tenantEmail } = await makeSigning(app, others.slice(0, 1))
  await app
    .as(admin)
    .settings.stay.save({ version: 0, body: { ...staySection.body.parse({}), enabled: true } })
  await sign(tenantEmail)
  const { stay } = await app.as(tenant).stays.get({ applicationId: id })
  expect(stay?.gate.missing[0]?.text).toBe('Your lease waits for the other signatures')
  await sign(zoeEmail)
  const now = await app.as(tenant).stays.get({ applicationId: id })
  expect(now.stay?.gate.missing.map(({ kind }) => kind)).not.toContain('lease')
})

test('the gate opens by the rule, and names all that is missing in the guest’s words [STAY-07, STAY-08, STAY-09]', async () => {
  const app = await testApp()
  const { admin, id, tenant } = await makeLease(app)
  await app
    .as(admin)
    .settings.stay.save({ version: 0, body: { ...staySection.body.parse({}), enabled: true } })
  const texts = async () => {
    const { stay } = await app.as(tenant).stays.get({ applicationId: id })
    return [stay?.gate.state, ...(stay?.gate.missing ?? []).map(({ text }) => text)]
  }
  expect(await texts()).toEqual(['locked', 'Sign your lease', 'Pay the deposit of $500.00', 'Pay $2,500.00'])
  await signLease(app, tenant, id)
  await app.deps.write(tx => {
    storePayment(tx, { userId: tenant.userId, applicationId: id, type: 'deposit', amountCents: 500_00 })
    storePayment(tx, { userId: tenant.userId, applicationId: id, amountCents: 1000_00, status: 'processing' })
  })
  expect(await texts()).toEqual(['locked', 'Pay $1,500.00', 'Your payment of $1,000.00 is on its way'])
  await app.as(admin).payments.addManual(buildManualPayment(id, { amount: 2500_00 }))
  expect(await texts()).toEqual(['scheduled'])
  app.setNow('2026-05-30T19:59:59.000Z')
  expect(await texts()).toEqual(['scheduled'])
  app.setNow(opening)
  expect(await texts()).toEqual(['open'])
  app.setNow('2026-07-01T14:00:00.000Z')
  expect(await texts()).toEqual(['closed'])
})

test('a deleted lease locks the gate, whoever made the booking, and the owner is told to write another; one that was entered without a lease needs none [STAY-08, CHG-30, LOOK-17]', async () => {
  const app = await testApp()
  const owner = app.as(await app.makeAdmin())
  await owner.settings.stay.save({ version: 0, body: { ...staySection.body.parse({}), enabled: true } })
  const { claim } = await owner.offers.make(buildOffer())
  const accepted = { typedName: 'Anna Miller', totalCents: 2000_00, person: offerPerson }
  await app.as(visitor).offers.acceptByLink({ token: offerToken(app, claim.id), ...accepted })
  const offered = app.deps.db.select().from(applications).where(eq(applications.source, 'offer')).get()
  const enter = async (startDate: string, endDate: string, generateLease: boolean) => {
    const entry = { startDate, endDate, generateLease, rentalAmount: 700, depositAmount: 500 }
    return (await owner.manualBookings.create(buildEntry(entry))).application.id
  }
  const withLease = await enter('2026-09-01', '2026-09-15', true)
  const ids = [offered?.id ?? '', withLease, await enter('2026-10-01', '2026-10-15', false)]
  const seen = () =>
    Promise.all(
      ids.map(async id => {
        const { gate } = (await owner.stays.adminGet({ applicationId: id })).stay
        const { nextStep, withoutLease } = (await owner.applications.adminGet({ id })).application
        const missing = gate.missing.map(({ text }) => text).join(', ')
        return [gate.state, missing, nextStep?.kind, withoutLease]
      }),
    )
  const [, , entered = ''] = ids
  for (const paymentType of ['deposit', 'rent'] as const) {
    const amount = paymentType === 'deposit' ? 500_00 : 700_00
    await owner.payments.addManual({ ...buildManualPayment(entered, { amount }), paymentType })
  }
  expect((await seen())[2]).toEqual(['scheduled', '', 'confirm', true])
  await owner.leases.generate({ applicationId: entered, rentalAmount: 700, depositAmount: 500 })
  for (const id of ids) await owner.leases.adminRemove({ id })
  expect(await seen()).toEqual([
    ['locked', 'The signed lease, Deposit of $500.00', 'generate_lease', undefined],
    ['locked', 'The signed lease, Deposit of $500.00', 'generate_lease', undefined],
    ['locked', 'The signed lease', 'generate_lease', undefined],
  ])
  // Confirmed nevertheless, as it could be before: it needs none, and no deposit that only a lease would ask for.
  for (const id of ids) await owner.applications.adminSetStatus({ id, status: 'completed' })
  expect(await seen()).toEqual([
    ['scheduled', '', undefined, true],
    ['scheduled', '', undefined, true],
    ['scheduled', '', undefined, true],
  ])
  // Confirmed with one, which is deleted to write another: it is missing, also if the clock went back in between.
  for (const id of ids) {
    await owner.leases.generate({ applicationId: id, rentalAmount: 700, depositAmount: 500 })
    for (const status of ['approved', 'completed'] as const)
      await owner.applications.adminSetStatus({ id, status })
  }
  app.advance(-60_000)
  for (const id of ids) await owner.leases.adminRemove({ id })
  expect(await seen()).toEqual([
    ['locked', 'The signed lease, Deposit of $500.00', 'generate_lease', undefined],
    ['locked', 'The signed lease, Deposit of $500.00', 'generate_lease', undefined],
    ['locked', 'The signed lease', 'generate_lease', undefined],
  ])
})

test('a tenant’s application that was confirmed without a lease is locked, and both sides see that the lease is next [STAY-08, STAY-09, LOOK-17]', async () => {
  const app = await testApp()
  const { admin, id, tenant } = await makeLease(app)
  const owner = app.as(admin)
  await owner.settings.stay.save({ version: 0, body: { ...staySection.body.parse({}), enabled: true } })
  await owner.leases.adminRemove({ id })
  await owner.applications.adminSetStatus({ id, status: 'completed' })
  const { gate } = (await app.as(tenant).stays.get({ applicationId: id })).stay ?? {}
  expect([gate?.state, gate?.missing[0]?.text]).toEqual(['locked', 'Your lease is being prepared'])
  const [own] = (await app.as(tenant).applications.status()).applications
  const day = { today: '2026-03-04', timeZone: 'America/New_York' }
  expect(own && tenantStep(own, day)?.title).toBe('We are preparing your lease')
  const { nextStep } = (await owner.applications.adminGet({ id })).application
  expect(nextStep?.kind).toBe('generate_lease')
})

test('an entered booking needs a lease while it owes money, for the gate, the owner and the guest [STAY-08, LOOK-17]', async () => {
  const app = await testApp()
  const owner = app.as(await app.makeAdmin())
  await owner.settings.stay.save({ version: 0, body: { ...staySection.body.parse({}), enabled: true } })
  const entry = { generateLease: false, rentalAmount: 700, depositAmount: 500 }
  const { id } = (await owner.manualBookings.create(buildEntry(entry))).application
  const userId = app.deps.db.select().from(applications).where(eq(applications.id, id)).get()?.userId ?? ''
  const proven = { mailboxProvenAt: app.deps.clock.now().toISOString() }
  await app.deps.write(tx => tx.update(users).set(proven).where(eq(users.id, userId)).run())
  const seen = async () => {
    const { gate } = (await owner.stays.adminGet({ applicationId: id })).stay
    const { nextStep } = (await owner.applications.adminGet({ id })).application
    const opened = (await owner.applications.get({ id })).application
    const own = (await app.as({ role: 'tenant', userId, requestOrigin: testOrigin }).applications.get({ id }))
      .application
    const missing = gate.missing.map(({ text }) => text).join(', ')
    return [missing, nextStep?.kind, opened.withoutLease, own.withoutLease]
  }
  expect(await seen()).toEqual([
    'The signed lease, Deposit of $500.00, $700.00',
    'generate_lease',
    undefined,
    undefined,
  ])
  await app.deps.write(tx => {
    storePayment(tx, { userId, applicationId: id, type: 'deposit', amountCents: 500_00 })
    storePayment(tx, { userId, applicationId: id, amountCents: 700_00 })
  })
  expect(await seen()).toEqual(['', 'confirm', true, true])
})

test('before a lease the deposit that the owner set for the booking is due, also none [CHG-30, STAY-08]', async () => {
  const app = await testApp()
  const owner = app.as(await app.makeAdmin())
  await owner.settings.stay.save({ version: 0, body: { ...staySection.body.parse({}), enabled: true } })
  const entry = { rentalAmount: 1000, depositAmount: 0 }
  const { id } = (await owner.manualBookings.create(buildEntry(entry))).application
  const missing = async () =>
    (await owner.stays.adminGet({ applicationId: id })).stay.gate.missing.map(({ text }) => text)
  await owner.leases.adminRemove({ id })
  expect(await missing()).toEqual(['The signed lease', 'Deposit of $500.00'])
  await owner.applications.adminEdit({ id, depositAmount: 0 })
  expect(await missing()).toEqual(['The signed lease'])
  await owner.applications.adminEdit({ id, depositAmount: 300 })
  expect(await missing()).toEqual(['The signed lease', 'Deposit of $300.00'])
})

test('a code is drawn two weeks ahead, shown once it is set, and only while the stay is open [STAY-17, STAY-19, STAY-21]', async () => {
  const { app, at, id, owner, show, tenant } = await stayApp()
  await at('2026-05-17T14:00:00.000Z')
  expect((await owner().stays.codes()).tasks).toEqual([])
  await at('2026-05-18T14:00:00.000Z')
  await tickStays(app.deps)
  const { tasks } = await owner().stays.codes()
  expect(tasks).toMatchObject([
    { action: 'set', lockName: 'Front door', guestName: 'Maya Rivers', tone: null },
  ])
  const { codeId } = tasks[0] ?? { codeId: '' }
  const { code } = await owner().stays.showOwnCode({ codeId })
  expect(code.code).toMatch(/^\d{6}$/)
  expect((await refusal(show(perStay))).message).toBe('This stay is not open.')
  await at(opening)
  expect((await refusal(show(perStay))).message).toBe(
    'Your code is being set. It will stand here before you arrive.',
  )
  await owner().stays.markSet({ codeId })
  expect(await show(perStay)).toMatchObject({ code: { code: code.code, name: 'Front door' } })
  expect(await show(standing)).toMatchObject({ code: { code: '73A9' } })
  expect((await refusal(show('unknown'))).code).toBe('NOT_FOUND')
  const shows = and(
    eq(events.subjectId, id),
    eq(events.kind, 'stay.code_shown'),
    eq(events.actorRole, 'tenant'),
  )
  expect(app.deps.db.select().from(events).where(shows).all()).toMatchObject([
    { actorId: tenant.userId, address: '203.0.113.7', detail: { lock: 'Front door', codeId } },
    { detail: { lock: 'Garage' } },
  ])
  const other = await app.makeTenant()
  expect((await refusal(app.as(other).stays.showCode({ applicationId: id, lockId: standing }))).code).toBe(
    'NOT_FOUND',
  )
  expect((await refusal(owner().stays.showCode({ applicationId: id, lockId: standing }))).code).toBe(
    'FORBIDDEN',
  )
  for (let shown = 4; shown < 20; shown++) await show(standing).catch(() => {})
  await show(standing).catch(() => {})
  expect((await refusal(show(standing))).code).toBe('TOO_MANY_REQUESTS')
})

test('the Wi-Fi is shown with its QR picture, and the password is kept, changed and taken away [STAY-24]', async () => {
  const { app, at, id, owner, save, tenant } = await stayApp()
  await at(opening)
  const wifi = async () => (await app.as(tenant).stays.showWifi({ applicationId: id })).wifi
  expect(await wifi()).toMatchObject({ network: 'Beach;House', security: 'wpa', password })
  await save('wifi', { network: 'Beach' })
  expect(await wifi()).toMatchObject({ network: 'Beach', password, qrSvg: expect.stringContaining('<svg') })
  expect(await refusal(save('wifi', { network: 'Beach' }, { password: 'short' }))).toMatchObject({
    fields: { password: expect.any(String) },
  })
  const isOpen = { network: 'Beach', security: 'open' }
  for (const [body, given] of [
    [isOpen, 'a'],
    [isOpen, 'blue-water-9'],
    [{ network: 'Beach' }, null],
  ] as const)
    expect(await refusal(save('wifi', body, { password: given })), String(given)).toMatchObject({
      fields: { password: expect.any(String) },
    })
  expect(await wifi()).toMatchObject({ network: 'Beach', password })
  await save('wifi', isOpen)
  expect(await wifi()).toMatchObject({ security: 'open', password: null })
  expect((await refusal(save('wifi', { network: 'Beach' }))).fields).toEqual({
    password: 'Please enter 8 to 63 letters, digits or signs',
  })
  expect((await owner().stays.arrival()).wifi).toEqual({ hasPassword: false, readable: true })
  await save('wifi', { network: '' })
  expect((await refusal(wifi())).code).toBe('NOT_FOUND')
  const { stay } = await app.as(tenant).stays.get({ applicationId: id })
  expect(stay).toMatchObject({ hasWifiPassword: false, gate: { closesAt: '2026-07-01T14:00:00.000Z' } })
})

test('another code retires the former one at once, and open pages learn it from its version; the former is to be taken off within a day, unless the next replaces it [STAY-17, STAY-20, STAY-22]', async () => {
  const { app, at, id, owner, show, tenant } = await stayApp()
  await at(opening)
  const version = async () => (await app.as(tenant).stays.get({ applicationId: id })).stay?.codesVersion
  const [before, { code }] = [await version(), await show(standing)]
  expect(code.codesVersion).toBe(before)
  const [shown] = await Promise.all([
    show(standing),
    owner().stays.changeCode({ lockId: standing, code: '55#1' }),
  ])
  expect(['73A9', '55#1']).toContain(shown.code.code)
  expect((await show(standing)).code.code).toBe('55#1')
  expect(await version()).toBeGreaterThan(before ?? 0)
  expect((await refusal(owner().stays.changeCode({ lockId: standing }))).code).toBe('BAD_REQUEST')
  expect((await refusal(owner().stays.changeCode({ lockId: standing, code: 'a b' }))).code).toBe(
    'BAD_REQUEST',
  )
  const ofStay = (tasks: CodeTask[]) => tasks.filter(({ kind }) => kind === 'per_stay')
  const tasks = async () => ofStay((await owner().stays.codes()).tasks)
  const changeOwn = () => owner().stays.changeCode({ applicationId: id, lockId: perStay })
  const { codeId: former = '' } = (await tasks())[0] ?? {}
  await owner().stays.markSet({ codeId: former })
  const next = (await changeOwn()).lock.codeId ?? ''
  const until = '2026-05-31T20:00:00.000Z'
  const takeOff = { action: 'remove', codeId: former, from: opening, until }
  expect(await tasks()).toMatchObject([
    { ...takeOff, tone: null },
    { action: 'set', codeId: next },
  ])
  await at(until)
  expect((await tasks())[0]).toMatchObject({ ...takeOff, tone: 'danger' })
  expect(ofStay((await owner().stays.markSet({ codeId: next })).tasks)).toEqual([])
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  expect(await tasks()).toMatchObject([{ action: 'remove', codeId: next, from: until, tone: 'danger' }])
  expect(await refusal(changeOwn())).toMatchObject({ code: 'CONFLICT', message: 'This stay is over.' })
})

test('tasks at the locks have their time and tone, and marking twice is one event; what is off its lock is neither set nor shown [STAY-16, STAY-22]', async () => {
  const { app, at, id, owner } = await stayApp()
  await at('2026-05-20T14:00:00.000Z')
  const { now, tasks } = await owner().stays.codes()
  expect(now).toBe('2026-05-20T14:00:00.000Z')
  const codeId = tasks[0]?.codeId ?? ''
  const toneAt = async (iso: string) => {
    await at(iso)
    return (await listNotices(app.deps)).find(notice => notice.id === `stay-code-${codeId}`)?.tone
  }
  expect(await toneAt('2026-05-29T19:00:00.000Z')).toBeUndefined()
  expect(await toneAt('2026-05-29T21:00:00.000Z')).toBe('warning')
  expect(await toneAt('2026-05-31T21:00:00.000Z')).toBe('danger')
  const detail = async () =>
    (await listNotices(app.deps)).find(notice => notice.id === `stay-code-${codeId}`)?.detail
  expect(await detail()).toContain('Front door, by Jun 1, 2026, 4:00 PM EDT.')
  await at('2026-06-02T20:00:00.000Z')
  expect(await detail()).toContain('Front door, at once.')
  await at('2026-05-31T21:00:00.000Z')
  await Promise.all([owner().stays.markSet({ codeId }), owner().stays.markSet({ codeId })])
  expect(await toneAt('2026-06-30T00:00:00.000Z')).toBeUndefined()
  await at('2026-07-01T14:00:00.000Z')
  expect((await owner().stays.codes()).tasks).toMatchObject([{ action: 'remove', codeId, tone: null }])
  expect(await toneAt('2026-07-02T14:00:00.000Z')).toBe('danger')
  await owner().stays.markRemoved({ codeId })
  expect(await owner().stays.markRemoved({ codeId })).toEqual({ tasks: [] })
  for (const call of [owner().stays.markSet({ codeId }), owner().stays.showOwnCode({ codeId })])
    expect(await refusal(call)).toMatchObject({ code: 'NOT_FOUND', message: 'There is no such code.' })
  const marks = and(eq(events.subjectId, id), like(events.kind, 'stay.code_%ed'))
  expect(
    app.deps.db
      .select({ kind: events.kind })
      .from(events)
      .where(marks)
      .all()
      .map(({ kind }) => kind),
  ).toEqual(['stay.code_removed'])
  const sets = and(eq(events.subjectId, id), eq(events.kind, 'stay.code_set'))
  expect(app.deps.db.select().from(events).where(sets).all()).toHaveLength(1)
})

test('a code can be set between the previous guest’s check-out and the next check-in, so that nobody is locked out [STAY-22]', async () => {
  const { app, at, id, owner } = await stayApp()
  await at('2026-05-20T14:00:00.000Z')
  const first = (await owner().stays.codes()).tasks
  expect(first).toMatchObject([{ action: 'set', from: '2026-05-20T14:00:00.000Z', until: checkIn }])
  await owner().stays.markSet({ codeId: first[0]?.codeId ?? '' })
  const entry = buildEntry({ startDate: '2026-07-01', endDate: '2026-07-15', generateLease: false })
  const { application: next } = await owner().manualBookings.create(entry)
  await at('2026-06-20T14:00:00.000Z')
  const task = { action: 'set', applicationId: next.id, until: '2026-07-01T20:00:00.000Z' }
  expect((await owner().stays.codes()).tasks).toMatchObject([{ ...task, from: '2026-07-01T14:00:00.000Z' }])
  const toSet = async () => (await owner().stays.codes()).tasks.find(({ action }) => action === 'set')
  await at('2026-06-30T21:00:00.000Z')
  const told = async () => {
    const { codeId, tone } = (await toSet()) ?? {}
    const notice = (await listNotices(app.deps)).find(({ id }) => id === `stay-code-${codeId}`)
    return [tone, notice?.detail.includes('Not before Jul 1, 2026, 10:00 AM EDT: the previous guest stays')]
  }
  expect(await told()).toEqual(['danger', true])
  await at('2026-07-01T14:00:00.000Z')
  expect(await told()).toEqual(['danger', false])
  const longer = { hold: 'open', reason: 'Late flight', until: '2026-07-02' } as const
  await owner().stays.hold({ applicationId: id, ...longer })
  expect(await toSet()).toMatchObject({ from: task.until, until: task.until, ends: null })
  // After check-in time the code is due, although setting it stops the code of the guest who is still there.
  await at(task.until)
  expect(await toSet()).toMatchObject({ ends: 'Maya Rivers' })
  const details = listCriticalNotices(app.deps).map(({ detail }) => detail)
  expect(details).toContainEqual(
    expect.stringContaining('Front door, once Maya Rivers has left, whose code ends with it.'),
  )
  await at('2026-07-01T14:00:00.000Z')
  // A code that was drawn while the clock was ahead can be set at once.
  await app.deps.write(tx => tx.update(lockCodes).set({ madeAt: '2026-07-20T00:00:00.000Z' }).run())
  await owner().stays.hold({ applicationId: id, hold: null })
  expect(await toSet()).toMatchObject({ from: '2026-07-01T14:00:00.000Z' })
  await app.deps.write(tx => tx.update(lockCodes).set({ madeAt: '2026-06-20T14:00:00.000Z' }).run())
  await at('2026-06-20T14:00:00.000Z')
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  const { tasks } = await owner().stays.codes()
  expect(tasks.find(({ action }) => action === 'set')).toMatchObject({
    ...task,
    from: '2026-06-20T14:00:00.000Z',
  })
})

test('declining or cancelling a guest who saw a code says so and warns until it is changed; a code shown at the same moment is refused or reported [STAY-12, STAY-15]', async () => {
  for (const [first, way] of [
    ['show', 'decline'],
    ['end', 'decline'],
    ['show', 'cancel'],
    ['end', 'cancel'],
  ]) {
    const { app, at, id, owner, show } = await stayApp()
    await at(opening)
    const end = (): Promise<{ codeShown?: true | undefined }> =>
      way === 'decline'
        ? owner().applications.adminSetStatus({ id, status: 'rejected' })
        : owner().cancellations.cancel({ applicationId: id, side: 'owner', reason: 'A pipe burst.' })
    // A show first counts against its limit, so one that starts at the same moment comes second.
    const [shown, ended] = await Promise.allSettled([
      show(standing),
      first === 'end' ? end() : nextTurn().then(end),
    ])
    const isShown = shown.status === 'fulfilled'
    expect(isShown).toBe(first === 'show')
    if (!isShown) expect(shown.reason.message).toBe('This stay is not open.')
    expect(ended).toMatchObject({ status: 'fulfilled' })
    expect(ended.status === 'fulfilled' && ended.value.codeShown).toBe(isShown || undefined)
    const notices = () => listCriticalNotices(app.deps).map(notice => notice.id)
    expect(notices().includes(`stay-code-shown-${id}`)).toBe(isShown)
    expect((await refusal(show(standing))).message).toBe('This stay is not open.')
    await owner().stays.changeCode({ lockId: standing, code: '9182' })
    expect(notices()).not.toContain(`stay-code-shown-${id}`)
  }
  const { at, id, owner, show } = await stayApp()
  await at(opening)
  await show(standing)
  expect(await owner().applications.adminDelete({ id })).toEqual({
    message: 'Application deleted',
    codeShown: true,
  })
})

test('a seen code for everybody is a task until it is changed, or the owner lets it stay for this guest [STAY-15]', async () => {
  const { app, at, id, owner, show } = await stayApp()
  await at(opening)
  await show(standing)
  const { codeId } = (await owner().stays.arrival()).locks.find(({ lockId }) => lockId === standing) ?? {}
  const state = async () => ({
    checks: (await owner().stays.codes()).tasks.filter(({ action }) => action === 'check'),
    isTold: listCriticalNotices(app.deps).some(notice => notice.id === `stay-code-shown-${id}`),
  })
  const none = { checks: [], isTold: false }
  expect(await state()).toEqual(none)
  const hold = (to: 'open' | 'closed') =>
    owner().stays.hold({ applicationId: id, hold: to, reason: 'They ask for it' })
  await hold('closed')
  const check = {
    id: `${codeId}:${id}`,
    kind: 'standing',
    lockName: 'Garage',
    applicationId: id,
    tone: 'danger',
  }
  expect(await state()).toMatchObject({ checks: [{ codeId, ...check }], isTold: true })
  const letStay = (more = {}) =>
    owner().stays.markRemoved({ codeId: codeId ?? '', applicationId: id, ...more })
  expect((await refusal(letStay({ applicationId: 'unknown' }))).code).toBe('NOT_FOUND')
  await Promise.all([letStay(), letStay()])
  expect(await state()).toEqual(none)
  const cleared = and(eq(events.subjectId, id), eq(events.kind, 'stay.code_cleared'))
  expect(app.deps.db.select().from(events).where(cleared).all()).toHaveLength(1)
  for (const to of ['open', 'closed'] as const) await hold(to)
  expect((await state()).isTold).toBe(true)
  await letStay()
  expect(await state()).toEqual(none)
  const declined = await owner().applications.adminSetStatus({ id, status: 'rejected' })
  expect([declined.codeShown, (await state()).isTold]).toEqual([true, true])
  await owner().stays.markSet({ codeId: codeId ?? '' })
  expect(await state()).toEqual(none)
})

test('a code that was seen is a danger while its guest should not come in: locked again, closed, or moved [STAY-13, STAY-15]', async () => {
  const { app, at, id, owner, show } = await stayApp()
  const isTold = () => listCriticalNotices(app.deps).some(notice => notice.id === `stay-code-shown-${id}`)
  await at(opening)
  const [drawn] = (await owner().stays.codes()).tasks
  expect(drawn).toMatchObject({ action: 'set', until: checkIn })
  await show(standing)
  expect(isTold()).toBe(false)
  await owner().charges.add({ applicationId: id, kind: 'fee', label: 'Parking', amountCents: 40_00 })
  expect(isTold()).toBe(true)
  const hold = (to: 'open' | 'closed' | null) =>
    owner().stays.hold({ applicationId: id, hold: to, reason: 'Known guest' })
  await hold('open')
  expect(isTold()).toBe(false)
  await hold('closed')
  expect(isTold()).toBe(true)
  await hold('open')
  const moved = { stayStartDate: '2026-12-01', stayEndDate: '2026-12-20' }
  await app.deps.write(tx => tx.update(applications).set(moved).where(eq(applications.id, id)).run())
  expect([(await owner().stays.adminGet({ applicationId: id })).stay.gate.state, isTold()]).toEqual([
    'locked',
    true,
  ])
  // The code stays, and is to be set before the new arrival.
  expect((await owner().stays.codes()).tasks.filter(({ kind }) => kind === 'per_stay')).toMatchObject([
    { ...drawn, id: drawn?.codeId, action: 'set', until: '2026-12-01T21:00:00.000Z', tone: null },
  ])
  await hold('open')
  expect(isTold()).toBe(false)
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  await owner().applications.adminSetStatus({ id, status: 'approved' })
  expect([(await owner().stays.adminGet({ applicationId: id })).stay.gate.hold, isTold()]).toEqual([
    null,
    true,
  ])
})

test('a code that stands in a text for guests is neither typed nor drawn, in capitals or not; nor is a live one drawn, or one of the last of its lock [STAY-04, STAY-17]', async () => {
  const { id, owner, save } = await stayApp()
  await save('directions', { text: 'House 471190, gate 12ab' })
  const type = (code: string) => refusal(owner().stays.changeCode({ lockId: standing, code }))
  expect(await type('12AB')).toMatchObject({
    fields: { code: 'This code stands in “Getting here”. Take it out there, or choose another.' },
  })
  expect(await refusal(save('parking', { text: 'Lot 73a9' }))).toMatchObject({
    fields: { text: expect.stringContaining('the code of Garage') },
  })
  expect((await type('826413')).code).toBe('no refusal')
  const ofStay = { applicationId: id, lockId: perStay }
  await owner().stays.changeCode({ ...ofStay, code: '903716' })
  const digits = ['471190', '826413', '903716', '385027'].flatMap(code => [...code].map(Number))
  vi.spyOn(crypto, 'randomInt').mockImplementation(() => digits.shift())
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
  const { codeId } = (await owner().stays.changeCode(ofStay)).lock
  expect((await owner().stays.showOwnCode({ codeId: codeId ?? '' })).code.code).toBe('385027')
})

test('a new code or password that stands in the wording of a mail, or a quick reply is refused at its field, and such a code is not drawn [STAY-04, STAY-17, STAY-18]', async () => {
  const { admin, app, id, owner, save } = await stayApp()
  const { wording } = await owner().wordings.get({ kind: 'stay-open' })
  const body = { ...(wording.body as object), text: 'Come to gate 9182 please. The Wi-Fi is blue-water-9' }
  await owner().wordings.save({ kind: 'stay-open', version: wording.version, body, note: '' })
  await save('welcome', { text: 'Wi-Fi: green-water-9', from: 'booked' })
  await owner().settings.messages.save({ version: 0, body: { enabled: true } })
  await owner().conversations.addQuickReply({
    title: 'Gate 9183',
    body: 'Use 9184. The Wi-Fi is red-water-9',
  })
  const standsIn = (what: string, part: string) =>
    `This ${what} stands in “${part}”. Take it out there, or choose another.`
  for (const [code, part] of [
    ['9182', 'Arrival information is open'],
    ['9183', 'Quick replies'],
    ['9184', 'Quick replies'],
  ] as const) {
    const fields = { code: standsIn('code', part) }
    expect(await refusal(owner().stays.changeCode({ lockId: standing, code })), code).toMatchObject({
      fields,
    })
    const lock = { name: 'Shed', kind: 'standing', code } as const
    expect(await refusal(owner().stays.addLock(lock)), code).toMatchObject({ fields })
  }
  for (const [given, part] of [
    ['blue-water-9', 'Arrival information is open'],
    ['green-water-9', 'Welcome'],
    ['red-water-9', 'Quick replies'],
  ] as const)
    expect(await refusal(save('wifi', { network: 'Beach' }, { password: given })), given).toMatchObject({
      fields: { password: standsIn('password', part) },
    })
  expect((await owner().stays.arrival()).sections.wifi).toMatchObject({ version: 1 })
  await owner().settings.messages.save({ version: 1, body: { enabled: false } })
  const whileOff = owner().stays.changeCode({ lockId: standing, code: '9183' })
  const fields = { code: standsIn('code', 'Quick replies, with messages switched on') }
  expect(await refusal(whileOff)).toMatchObject({ fields })
  await owner().settings.messages.save({ version: 2, body: { enabled: true } })
  const left = Array.from({ length: 10_000 }, (_, code) => String(code).padStart(4, '0')).filter(
    code => code !== '9182' && !code.startsWith('0'),
  )
  const replies = Array.from({ length: 25 }, (_, at) => ({
    id: randomUUID(),
    title: 'Numbers',
    body: left.slice(at * 400, at * 400 + 400).join(' '),
  }))
  await saveSection(app.deps, admin as Admin, quickRepliesSection, { version: 1, body: { replies } })
  await owner().stays.changeLock({ lockId: perStay, digits: 4 })
  const { lock } = await owner().stays.changeCode({ applicationId: id, lockId: perStay })
  const { code } = await owner().stays.showOwnCode({ codeId: lock.codeId ?? '' })
  expect(code.code).toMatch(/^0/)
})

test('a code that another guest’s code may have replaced must be set again, and still comes off in the end [STAY-22]', async () => {
  const { app, at, id, owner, show } = await stayApp()
  const set = async (applicationId: string) => {
    const { tasks } = await owner().stays.codes()
    const { codeId = '' } = tasks.find(task => task.applicationId === applicationId) ?? {}
    return (await owner().stays.markSet({ codeId })).tasks
  }
  const hold = (to: 'closed' | null) =>
    owner().stays.hold({ applicationId: id, hold: to, reason: 'Wrong guest' })
  const tasks = async () => (await owner().stays.codes()).tasks
  await at('2026-05-18T14:00:00.000Z')
  expect(await set(id)).toEqual([])
  const stays = [
    ['2026-05-22', '2026-05-28'],
    ['2026-07-01', '2026-07-10'],
  ]
  const [before = '', after = ''] = await Promise.all(
    stays.map(async ([startDate = '', endDate = '']) => {
      const entry = buildEntry({ startDate, endDate, generateLease: false })
      return (await owner().manualBookings.create(entry)).application.id
    }),
  )
  await at('2026-05-20T14:00:00.000Z')
  const again = { action: 'set', again: true, applicationId: id, until: checkIn }
  expect(await set(before)).toMatchObject([{ ...again, from: '2026-05-28T14:00:00.000Z' }])
  // No code is asked for while the guest is not expected.
  await hold('closed')
  expect(await tasks()).toEqual([])
  await hold(null)
  await at('2026-05-31T21:00:00.000Z')
  const details = listCriticalNotices(app.deps).map(({ detail }) => detail)
  expect(details).toContainEqual(expect.stringContaining('Another guest’s code may have replaced it.'))
  expect((await show(perStay)).code).toBeTruthy()
  const toSet = (await tasks()).find(task => task.again)
  await Promise.all([toSet, toSet].map(task => owner().stays.markSet({ codeId: task?.codeId ?? '' })))
  const left = { applicationId: before, action: 'remove' }
  expect(await tasks()).toMatchObject([left])
  const isSet = and(eq(events.subjectId, id), eq(events.kind, 'stay.code_set'))
  expect(app.deps.db.select().from(events).where(isSet).all()).toHaveLength(2)

  // If it is set too early, the next guest's code replaces the current guest's.
  const early = '2026-06-20T14:00:00.000Z'
  await at(early)
  expect(await set(after)).toMatchObject([left, { ...again, until: early, tone: 'danger' }])
  // On a lock with several codes it does not, and can be set at any time.
  await owner().stays.changeLock({ lockId: perStay, holds: 'many' })
  expect(await tasks()).toMatchObject([left])
  const { codeId } = (await owner().stays.changeCode({ applicationId: after, lockId: perStay })).lock
  expect(await tasks()).toMatchObject([left, { action: 'remove' }, { codeId, action: 'set', from: early }])
  await owner().stays.markSet({ codeId: codeId ?? '' })
  expect(await tasks()).toMatchObject([left, { action: 'remove', applicationId: after }])
  await owner().stays.changeLock({ lockId: perStay, holds: 'one' })
  // One that was set while the clock was ahead is replaced by the next one as well.
  const ahead = { setAt: '2026-08-20T14:00:00.000Z' }
  const isNew = eq(lockCodes.id, codeId ?? '')
  await app.deps.write(tx => tx.update(lockCodes).set(ahead).where(isNew).run())
  for (const [applicationId, until] of [
    [id, early],
    [after, '2026-07-01T20:00:00.000Z'],
    [id, early],
  ]) {
    const asked = (await tasks()).find(task => task.again)
    expect(asked).toMatchObject({ applicationId, until })
    await owner().stays.markSet({ codeId: asked?.codeId ?? '' })
  }
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  expect(await tasks()).toMatchObject([
    left,
    { applicationId: id, action: 'remove' },
    { applicationId: after },
  ])
})

test('a stay that is reopened days after its end gets a code again [STAY-10, STAY-17]', async () => {
  const { at, id, owner } = await stayApp()
  await at('2026-05-20T14:00:00.000Z')
  const [{ codeId } = { codeId: '' }] = (await owner().stays.codes()).tasks
  await owner().stays.markSet({ codeId })
  await at('2026-07-01T15:00:00.000Z')
  await owner().stays.markRemoved({ codeId })
  await at('2026-07-03T15:00:00.000Z')
  const forgotten = { hold: 'open', reason: 'Forgot the phone', until: '2026-07-06' } as const
  await owner().stays.hold({ applicationId: id, ...forgotten })
  await at('2026-07-03T15:01:00.000Z')
  expect((await owner().stays.codes()).tasks).toMatchObject([{ action: 'set', applicationId: id }])
})

test('after a stay is closed by hand, its code is not requested, must come off at once if the guest has seen it, and does not delay the next guest [STAY-15, STAY-22]', async () => {
  const { app, at, id, owner, show } = await stayApp()
  await at('2026-05-30T14:00:00.000Z')
  const tasks = async () => (await owner().stays.codes()).tasks
  const close = () => owner().stays.hold({ applicationId: id, hold: 'closed', reason: 'Wrong guest' })
  await close()
  expect(await tasks()).toMatchObject([{ action: 'set', tone: null }])
  await owner().stays.hold({ applicationId: id, hold: null })
  const [{ codeId } = { codeId: '' }] = await tasks()
  await owner().stays.markSet({ codeId })
  await close()
  expect(await tasks()).toEqual([])
  await owner().stays.hold({ applicationId: id, hold: null })
  await at('2026-06-20T14:00:00.000Z')
  await show(perStay)
  const entry = buildEntry({ startDate: '2026-07-01', endDate: '2026-07-15', generateLease: false })
  const { application: next } = await owner().manualBookings.create(entry)
  await at('2026-06-21T14:00:00.000Z')
  await close()
  expect(await tasks()).toMatchObject([
    { action: 'remove', codeId, tone: 'danger', from: '2026-06-21T14:00:00.000Z' },
    { action: 'set', applicationId: next.id, from: '2026-06-21T14:00:00.000Z' },
  ])
  await owner().stays.changeCode({ applicationId: id, lockId: perStay })
  expect(listCriticalNotices(app.deps).map(notice => notice.id)).toContain(`stay-code-${codeId}`)
  await owner().stays.markRemoved({ codeId })
  expect(listCriticalNotices(app.deps).filter(notice => notice.id.startsWith('stay-code'))).toEqual([])
})

test('the owner opens or closes a stay by hand after a step-up, with a reason that contains no code, and switches back to automatic [STAY-10, STAY-18, FIX-32]', async () => {
  const { admin, app, at, gate, id, owner, tenant } = await stayApp({ isPaid: false })
  const hold = (change: object) => owner().stays.hold({ applicationId: id, hold: 'open', ...change })
  for (const reason of [' ', 'x'.repeat(501)])
    expect(await refusal(hold({ reason }))).toMatchObject({ fields: { reason: expect.any(String) } })
  const closed = { hold: 'closed', reason: 'Wrong guest' }
  expect(await refusal(hold({ ...closed, until: '2026-07-03' }))).toMatchObject({
    fields: { until: expect.any(String) },
  })
  // Whether a reason has a code is told after a step-up only.
  for (const to of ['open', 'closed'] as const) {
    const told = { hold: to, reason: 'Told 73a9 by phone' }
    expect(await refusal(hold(told))).toMatchObject({
      fields: { reason: 'This contains the code of Garage. Guests see it on their stay page.' },
    })
    await expect(holdGate(app.deps, admin as Admin, id, told)).rejects.toMatchObject({ code: 'forbidden' })
  }
  await at('2026-05-01T00:00:00.000Z')
  const unproven = { hold: 'open', reason: 'Paid in cash' } as const
  await expect(holdGate(app.deps, admin as Admin, id, unproven)).rejects.toMatchObject({ code: 'forbidden' })
  await holdGate(app.deps, admin as Admin, id, { hold: null, reason: '' })
  await hold({ reason: 'Paid in cash' })
  expect((await hold({ reason: 'Paid in cash' })).hold).toMatchObject({
    hold: 'open',
    reason: 'Paid in cash',
  })
  expect(await gate()).toMatchObject({ state: 'open', missing: [] })
  const holds = and(eq(events.subjectId, id), eq(events.kind, 'stay.held'))
  expect(app.deps.db.select().from(events).where(holds).all()).toHaveLength(1)
  await hold(closed)
  const back = { hold: null, reason: '' }
  await expect(holdGate(app.deps, admin as Admin, id, back)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await gate()).toMatchObject({ state: 'closed' })
  await hold({ hold: null })
  expect(await gate()).toMatchObject({ state: 'locked', missing: [{}, {}] })
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  expect((await refusal(hold({ reason: 'Please' }))).message).toBe('Only a booked stay can be opened.')
  expect((await refusal(app.as(tenant).stays.hold({ applicationId: id, hold: null }))).code).toBe('FORBIDDEN')
})

test('an opening by hand ends with a cancellation, also for a stay that is reinstated unpaid [STAY-10]', async () => {
  const { at, gate, id, owner } = await stayApp({ isPaid: false })
  await at('2026-05-01T00:00:00.000Z')
  await owner().stays.hold({ applicationId: id, hold: 'open', reason: 'Pays on arrival' })
  expect(await gate()).toMatchObject({ state: 'open' })
  await owner().cancellations.cancel({ applicationId: id, side: 'owner', reason: 'A pipe burst.' })
  expect(await gate()).toMatchObject({ state: 'closed' })
  await owner().applications.adminSetStatus({ id, status: 'approved' })
  expect(await gate()).toMatchObject({ state: 'locked', missing: [{}, {}] })
})

test('an opening for longer is one event however often it is saved, and is taken back with the same reason [STAY-10]', async () => {
  const { app, at, gate, id, owner } = await stayApp()
  await at(checkIn)
  const open = (more = {}) =>
    owner().stays.hold({ applicationId: id, hold: 'open', reason: 'Late flight', ...more })
  for (const _ of [1, 2]) await open({ until: '2026-07-03' })
  const isHold = and(eq(events.subjectId, id), eq(events.kind, 'stay.held'))
  const held = () => app.deps.db.select().from(events).where(isHold).all()
  expect(held()).toHaveLength(1)
  await at('2026-07-02T00:00:00.000Z')
  expect((await gate())?.state).toBe('open')
  await open()
  expect([(await gate())?.state, held().length]).toEqual(['closed', 2])
})

test('other dates end an opening by hand, also when the former ones come back [STAY-10, STAY-13]', async () => {
  const app = await testApp()
  const owner = app.as(await app.makeAdmin())
  await owner.settings.stay.save({ version: 0, body: { ...staySection.body.parse({}), enabled: true } })
  const june = { startDate: '2026-06-01', endDate: '2026-07-01', rentalAmount: 2500, depositAmount: 500 }
  const { application } = await owner.manualBookings.create(buildEntry({ ...june, generateLease: false }))
  const { id } = application
  const state = async () => (await owner.stays.adminGet({ applicationId: id })).stay.gate.state
  await owner.stays.hold({ applicationId: id, hold: 'open', reason: 'Known guest' })
  expect(await state()).toBe('open')
  for (const requestedStartDate of ['2026-06-03', '2026-06-01']) {
    await owner.applications.adminEdit({ id, requestedStartDate })
    expect(await state()).toBe('locked')
  }
})

test('an addendum that changes the dates ends an opening by hand, also when a later one restores them [STAY-10]', async () => {
  const { change, gate, id, owner } = await stayApp({ isPaid: false })
  await owner().stays.hold({ applicationId: id, hold: 'open', reason: 'Known guest' })
  const states = [(await gate())?.state]
  for (const leaseStartDate of ['2026-06-02', '2026-06-01']) {
    await change({ leaseStartDate, rentalAmount: 2500 })
    states.push((await gate())?.state)
  }
  expect(states).toEqual(['open', 'locked', 'locked'])
})

test('money closes a gate before check-in; from then on the owner is warned instead [STAY-11]', async () => {
  const { app, at, gate, id, owner, tenant } = await stayApp()
  await at(opening)
  expect((await gate())?.state).toBe('open')
  await owner().charges.add({ applicationId: id, kind: 'fee', label: 'Parking', amountCents: 40_00 })
  expect((await gate())?.state).toBe('locked')
  await at('2026-05-31T20:00:00.000Z')
  await at(checkIn)
  // It was not open at check-in.
  expect((await gate())?.state).toBe('locked')
  await app.deps.write(tx =>
    storePayment(tx, { userId: tenant.userId, applicationId: id, amountCents: 40_00 }),
  )
  await at('2026-06-01T20:01:00.000Z')
  expect((await gate())?.state).toBe('open')
  await owner().charges.add({ applicationId: id, kind: 'fee', label: 'Cleaning', amountCents: 60_00 })
  await at('2026-06-02T00:00:00.000Z')
  expect((await gate())?.state).toBe('open')
  const notice = listCriticalNotices(app.deps).find(each => each.id === `stay-unpaid-${id}`)
  expect(notice).toMatchObject({
    title: expect.stringContaining('$60.00'),
    detail: 'A code is no way to collect it.',
  })
})

test('paperwork during a stay closes no gate that was open at arrival, and the owner is told until the lease is signed; a stay that is booked anew needs it [STAY-11]', async () => {
  const { app, at, gate, id, owner, tenant } = await stayApp()
  const state = async () => (await gate())?.state
  const told = async () => (await listNotices(app.deps)).find(each => each.id === `stay-lease-${id}`)?.title
  await at(opening)
  await owner().leases.removeSigned({ applicationId: id })
  expect([await state(), await told()]).toEqual(['locked', undefined])
  await signLease(app, tenant, id)
  await at('2026-06-02T00:00:00.000Z')
  await at('2026-06-02T00:01:00.000Z')
  expect([await state(), await told()]).toEqual(['open', undefined])
  await owner().leases.removeSigned({ applicationId: id })
  expect([await state(), await told()]).toEqual([
    'open',
    'Maya Rivers is in the condo without a signed lease',
  ])
  await owner().leases.adminRemove({ id })
  await at('2026-06-02T00:02:00.000Z')
  expect([await state(), await told()]).toEqual([
    'open',
    'Maya Rivers is in the condo without a signed lease',
  ])
  const hold = (to: 'open' | null) =>
    owner().stays.hold({ applicationId: id, hold: to, reason: 'Known guest' })
  await hold('open')
  expect([await state(), await told()]).toEqual(['open', undefined])
  await hold(null)
  for (const status of ['rejected', 'approved'] as const)
    await owner().applications.adminSetStatus({ id, status })
  expect([await state(), await told()]).toEqual(['locked', undefined])
})

test('an opening by hand after check-in keeps no gate open without a lease once it ends, and one by the rule does [STAY-10, STAY-11]', async () => {
  const { app, at, gate, id, owner, tenant } = await stayApp()
  const state = async () => (await gate())?.state
  const hold = (to: 'open' | 'closed' | null) =>
    owner().stays.hold({ applicationId: id, hold: to, reason: 'Wrong button' })
  await owner().leases.removeSigned({ applicationId: id })
  await at('2026-06-02T00:00:00.000Z')
  expect(await state()).toBe('locked')
  await hold('open')
  await at('2026-06-02T00:01:00.000Z')
  await hold('open')
  expect(await state()).toBe('open')
  await hold(null)
  expect(await state()).toBe('locked')
  await at('2026-06-02T00:10:00.000Z')
  expect(await state()).toBe('locked')
  await signLease(app, tenant, id)
  await at('2026-06-02T00:11:00.000Z')
  expect(await state()).toBe('open')
  await owner().leases.removeSigned({ applicationId: id })
  await hold('closed')
  await hold(null)
  expect(await state()).toBe('open')
})

test('a guest who was let in by hand and has paid everything keeps access when the owner switches back to automatic [STAY-11]', async () => {
  const { app, at, gate, id, owner, tenant } = await stayApp({ isPaid: false })
  const hold = (to: 'open' | null) =>
    owner().stays.hold({ applicationId: id, hold: to, reason: 'Pays tomorrow' })
  await at('2026-06-02T00:00:00.000Z')
  await hold('open')
  await pay(app, id, tenant.userId)
  await at('2026-06-02T00:01:00.000Z')
  await owner().charges.add({ applicationId: id, kind: 'fee', label: 'Late cleaning', amountCents: 50_00 })
  await hold(null)
  expect((await gate())?.state).toBe('open')
})

test('a stay that was opened by hand after check-in has its mail, and its contacts once it is declined [STAY-12, STAY-34]', async () => {
  const { app, at, gate, id, owner } = await stayApp({ isPaid: false })
  await at('2026-06-02T00:00:00.000Z')
  await owner().stays.hold({ applicationId: id, hold: 'open', reason: 'Pays tomorrow' })
  const scheduler = startMailScheduler(app.deps, [stayMails])
  await scheduler.tick()
  await scheduler.stop()
  const mails = app.deps.db.select().from(outbox).all()
  expect(mails.map(({ kind }) => kind)).toContain('stay-open')
  await owner().applications.adminSetStatus({ id, status: 'rejected' })
  expect(await gate()).toMatchObject({ state: 'closed' })
})

test('the warning of a guest who owes names no deposit that was not charged [STAY-11, CHG-30]', async () => {
  const { app, at, id, owner } = await stayApp()
  await at(opening)
  await at('2026-06-02T00:00:00.000Z')
  await owner().leases.adminRemove({ id })
  await app.deps.write(tx => tx.delete(payments).where(eq(payments.applicationId, id)).run())
  const { gate } = (await owner().stays.adminGet({ applicationId: id })).stay
  expect(gate.state).toBe('open')
  const ids = (await listNotices(app.deps)).map(each => each.id)
  expect(ids).toContain(`stay-lease-${id}`)
  expect(ids).not.toContain(`stay-unpaid-${id}`)
})

test('a lease that is written during a stay without one closes no gate, nor do its longer dates; a later arrival does [STAY-11, STAY-13]', async () => {
  const app = await testApp()
  const owner = app.as(await app.makeAdmin())
  await owner.settings.stay.save({ version: 0, body: { ...staySection.body.parse({}), enabled: true } })
  const entry = { startDate: '2026-06-01', endDate: '2026-06-20', generateLease: false }
  const { id } = (await owner.manualBookings.create(buildEntry(entry))).application
  const state = async () => (await owner.stays.adminGet({ applicationId: id })).stay.gate.state
  app.setNow('2026-06-03T01:00:00.000Z')
  await tickStays(app.deps)
  const lease = { applicationId: id, rentalAmount: 1000, depositAmount: 0 }
  await owner.leases.generate({ ...lease, leaseStartDate: '2026-06-01', leaseEndDate: '2026-06-22' })
  expect(await state()).toBe('open')
  await owner.leases.adminRemove({ id })
  expect(await state()).toBe('open')
  await owner.leases.generate({ ...lease, leaseStartDate: '2026-06-10', leaseEndDate: '2026-06-22' })
  expect(await state()).toBe('locked')
  await tickStays(app.deps)
  app.setNow('2026-06-11T01:00:00.000Z')
  await tickStays(app.deps)
  expect(await state()).toBe('locked')
})

test('the warning of a guest who owes names only what is due, and gives way to that of an overdue installment [STAY-11, PLAN-36]', async () => {
  const { app, at, owner } = await stayApp()
  const { userId } = await app.makeTenant({ email: 'plan@guest.example' })
  const parts: [number, string | null][] = [
    [900_00, null],
    [900_00, '2026-06-05'],
    [900_00, '2026-06-20'],
  ]
  const plan = { userId, number: 'APP-2026-0900', parts, payments: [{ amountCents: 900_00 }] }
  const planned = await app.deps.write(tx => storeSignedPlan(tx, plan))
  await at(checkIn)
  await at('2026-06-05T17:00:00.000Z')
  expect((await owner().stays.adminGet({ applicationId: planned })).stay.gate.state).toBe('open')
  const told = () => listCriticalNotices(app.deps).filter(({ id }) => id.includes(planned))
  expect(told()).toMatchObject([
    { id: `stay-unpaid-${planned}`, title: expect.stringContaining('owes $900.00') },
  ])
  await at('2026-06-19T17:00:00.000Z')
  expect(told().map(({ id }) => id)).toEqual([`plan-overdue-${planned}`])
})

test('a gate that was open before a decline is not open to a guest who owes and is booked again after arrival, but stays open once a code was shown [STAY-11, STAY-12]', async () => {
  const { app, at, gate, id, owner, show, tenant } = await stayApp()
  await at(opening)
  const decide = (status: 'approved' | 'rejected') => owner().applications.adminSetStatus({ id, status })
  await owner().charges.add({ applicationId: id, kind: 'fee', label: 'Parking', amountCents: 40_00 })
  await owner().stays.hold({ applicationId: id, hold: 'open', reason: 'Pays on arrival' })
  await decide('rejected')
  await at('2026-06-02T00:00:00.000Z')
  await decide('approved')
  expect((await gate())?.state).toBe('locked')
  const { userId } = tenant
  await app.deps.write(tx => storePayment(tx, { userId, applicationId: id, amountCents: 40_00 }))
  await show(standing)
  await owner().charges.add({ applicationId: id, kind: 'fee', label: 'Cleaning', amountCents: 60_00 })
  expect((await gate())?.state).toBe('open')
})

test('sections are saved with their version, and no text contains a code or the password [STAY-03, STAY-04]', async () => {
  const { owner, save } = await stayApp()
  expect((await save('parking', { text: ' Lot 4 ' })).section).toMatchObject({
    version: 1,
    body: { text: 'Lot 4' },
  })
  expect(
    await refusal(owner().stays.saveSection({ section: 'parking', version: 0, body: {} })),
  ).toMatchObject({
    code: 'CONFLICT',
    current: { version: 1, body: { text: 'Lot 4' } },
  })
  const refused = async (section: string, body: object) => (await refusal(save(section, body))).fields
  expect(await refused('directions', { mapLink: 'http://map.example' })).toEqual({
    mapLink: 'A map link begins with https://',
  })
  expect(await refused('manual', { entries: [{ title: 'Garage', text: 'Press 73A9.' }] })).toEqual({
    'entries.0.text': 'This contains the code of Garage. Guests see it on their stay page.',
  })
  expect(await refused('welcome', { text: `The Wi-Fi is ${password}` })).toEqual({
    text: 'This contains the Wi-Fi password. Guests see it on their stay page.',
  })
  await save('welcome', { text: 'Room 73A91' })
  expect((await refusal(save('nothing', {}))).code).toBe('NOT_FOUND')
  const { wording } = await owner().wordings.get({ kind: 'application-approved' })
  const body = { ...(wording.body as object), text: 'Garage: 73A9' }
  expect(
    await refusal(
      owner().wordings.save({ kind: 'application-approved', version: wording.version, body, note: '' }),
    ),
  ).toMatchObject({ fields: { text: expect.stringContaining('the code of Garage') } })
})

test('locks are added, changed, moved and removed one at a time; a standing one comes with its code [STAY-16]', async () => {
  const { app, owner, save } = await stayApp()
  const names = async () => (await owner().stays.arrival()).locks.map(({ name }) => name)
  const add = (more: object) => owner().stays.addLock({ name: 'Gate', kind: 'per_stay', ...more })
  expect((await add({ hint: 'By the road' })).lock).toMatchObject({
    digits: 4,
    hint: 'By the road',
    position: 2,
  })
  const { lock } = await add({ name: 'Shed', kind: 'standing', code: '8842' })
  expect(lock).toMatchObject({ kind: 'standing', codeId: expect.any(String), setAt: expect.any(String) })
  expect((await refusal(add({ kind: 'standing' }))).fields).toEqual({ code: 'Please enter the code' })
  expect((await refusal(add({ digits: 9 }))).message).toContain('digits')
  await save('parking', { text: 'Beside post 5521' })
  expect((await refusal(add({ kind: 'standing', code: '5521' }))).code).toBe('BAD_REQUEST')
  expect(await names()).toEqual(['Front door', 'Garage', 'Gate', 'Shed'])
  const { lockId } = lock
  const moved = await owner().stays.changeLock({ lockId, name: 'Beach shed', position: 0 })
  expect(moved.lock).toMatchObject({ name: 'Beach shed', position: 0, codeId: lock.codeId })
  expect(await names()).toEqual(['Beach shed', 'Front door', 'Garage', 'Gate'])
  await add({})
  await add({})
  expect((await refusal(add({}))).code).toBe('CONFLICT')
  await owner().stays.removeLock({ lockId })
  expect((await refusal(owner().stays.removeLock({ lockId }))).code).toBe('NOT_FOUND')
  const code = app.deps.db.select().from(lockCodes).where(eq(lockCodes.lockId, lockId)).get()
  expect(code?.retiredAt).not.toBeNull()
})

test('every version of a section is kept, and one that is saved again is the newest [STAY-03]', async () => {
  const { admin, owner, save } = await stayApp()
  await save('parking', { text: 'Lot 4' })
  await save('parking', { text: 'Lot 5' })
  const { versions } = await owner().stays.versions({ section: 'parking' })
  expect(versions[0]).toMatchObject({ at: testNow, by: admin.userId })
  expect(versions.map(({ body, version }) => [version, body.text])).toEqual([
    [2, 'Lot 5'],
    [1, 'Lot 4'],
  ])
  expect((await save('parking', versions[1]?.body ?? {})).section).toMatchObject({
    version: 3,
    body: { text: 'Lot 4' },
  })
})

test('the preview is the guest’s page at a moment, writes nothing, and has no secret [STAY-06]', async () => {
  const { app, id, owner, save } = await stayApp()
  await save('contacts', { people: [{ name: 'Ben', role: 'Host', phone: '850-555-0100' }] })
  const before = app.deps.dataVersion()
  const parts = async (moment: 'now' | 'open' | 'day' | 'after') => {
    const { stay } = await owner().stays.preview({ applicationId: id, moment })
    expect(JSON.stringify(stay)).not.toMatch(/73A9|sea-and-sand/)
    return [stay.gate.state, Object.keys(stay.sections).length, stay.locks.length]
  }
  expect(await parts('now')).toEqual(['scheduled', 1, 0])
  expect(await parts('open')).toEqual(['open', 4, 2])
  expect(await parts('day')).toEqual(['open', 4, 2])
  expect(await parts('after')).toEqual(['closed', 1, 0])
  expect(app.deps.dataVersion()).toBe(before)
})

test('who has seen a changed code is mailed once, without the new one, while the stay is not over [STAY-20]', async () => {
  const { app, at, id, owner, show } = await stayApp()
  const mails = () => app.deps.db.select().from(outbox).where(eq(outbox.kind, 'code-changed')).all()
  const change = (code: string) => owner().stays.changeCode({ lockId: standing, code })
  await at(opening)
  await change('5501')
  expect(mails()).toEqual([])
  await show(standing)
  await Promise.all([change('5502'), change('5503')])
  expect(mails()).toHaveLength(1)
  // Ids can have any digits.
  expect(JSON.stringify(mails()).replaceAll(/[\da-f-]{36}/g, '')).not.toMatch(/550\d/)
  await show(standing)
  await at('2026-07-01T14:00:00.000Z')
  await change('5504')
  expect(mails()).toHaveLength(1)
  const late = owner().stays.changeCode({ lockId: perStay, applicationId: id })
  expect(await refusal(late)).toMatchObject({ code: 'CONFLICT', message: 'This stay is over.' })
  expect(await refusal(owner().stays.changeCode({ lockId: perStay, code: '5505' }))).toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('a stay opened by hand can stay open for some days longer, and the owner sees who saw what and who owes [STAY-10, STAY-11, STAY-19]', async () => {
  const { admin, app, at, gate, id, owner, show, tenant } = await stayApp()
  const open = (until: string) =>
    owner().stays.hold({ applicationId: id, hold: 'open', reason: 'Late flight', until })
  const moments = ['2026-07-01T14:00:00Z', '2026-07-09T04:00:00Z']
  for (const until of ['2026-07-01', '2026-07-09', 'soon', ...moments])
    expect(await refusal(open(until))).toMatchObject({ code: 'BAD_REQUEST' })
  expect((await open('2026-07-09T03:59:00Z')).hold?.until).toBe('2026-07-09T03:59:00.000Z')
  await open('2026-07-01T17:30:00Z')
  expect(await gate()).toMatchObject({ closesAt: '2026-07-01T17:30:00.000Z' })
  expect((await open('2026-07-03')).hold).toEqual({
    hold: 'open',
    automatic: 'scheduled',
    until: '2026-07-03T14:00:00.000Z',
    reason: 'Late flight',
    at: testNow,
    by: admin.userId,
  })
  await at('2026-07-03T13:59:00.000Z')
  expect((await gate())?.state).toBe('open')
  await owner().charges.add({ applicationId: id, kind: 'fee', label: 'Late flight', amountCents: 40_00 })
  expect(listCriticalNotices(app.deps).map(notice => notice.id)).toContain(`stay-unpaid-${id}`)
  await show(standing)
  const shown = await owner().stays.adminGet({ applicationId: id })
  expect(shown.shown).toEqual([
    {
      id: expect.any(Number),
      at: '2026-07-03T13:59:00.000Z',
      lockName: 'Garage',
      who: 'tenant',
      name: '',
      browser: describeBrowser(testOrigin.userAgent),
      address: testOrigin.address,
    },
  ])
  expect(shown.stay).toMatchObject({
    gate: { closesAt: '2026-07-03T14:00:00.000Z' },
    hasWifiPassword: true,
  })
  await at('2026-07-03T14:00:00.000Z')
  expect((await app.as(tenant).stays.get({ applicationId: id })).stay?.gate.state).toBe('closed')
  // An opening that would be over at once is refused.
  const late = { applicationId: id, hold: 'open', reason: 'Forgot the phone' } as const
  for (const until of [undefined, '2026-07-03', '2026-07-03T13:59:00Z'])
    expect(await refusal(owner().stays.hold({ ...late, until }))).toMatchObject({
      fields: { until: 'The stay is over then. Please choose a day from Jul 4, 2026 to Jul 8, 2026' },
    })
  const later = async (iso: string) => {
    await at(iso)
    return (await owner().stays.adminGet({ applicationId: id })).later
  }
  const last = '2026-07-08'
  expect(await later('2026-07-01T13:59:00.000Z')).toEqual({ first: '2026-07-02', last, isNeeded: false })
  expect(await later('2026-07-01T14:00:00.000Z')).toEqual({ first: '2026-07-02', last, isNeeded: true })
  expect(await later('2026-07-08T13:59:00.000Z')).toEqual({ first: last, last, isNeeded: true })
  expect(await later('2026-07-08T14:00:00.000Z')).toBeNull()
  expect(await refusal(owner().stays.hold({ ...late, until: last }))).toMatchObject({ code: 'CONFLICT' })
  await at('2026-07-03T14:00:00.000Z')
  await owner().stays.hold({ ...late, until: '2026-07-04' })
  expect(await gate()).toMatchObject({ state: 'open' })
})

test('among the notices about codes, the one for a guest who has arrived comes first [STAY-22]', async () => {
  const { app, at, id, owner } = await stayApp()
  const entry = buildEntry({ startDate: '2026-07-05', endDate: '2026-07-09', generateLease: false })
  const { application: next } = await owner().manualBookings.create(entry)
  await at('2026-06-25T14:00:00.000Z')
  const ids = async () => {
    const { tasks } = await owner().stays.codes()
    return [id, next.id].map(each => tasks.find(task => task.applicationId === each)?.codeId ?? '')
  }
  const [first = '', second = ''] = await ids()
  await owner().stays.markSet({ codeId: first })
  await at('2026-07-05T14:00:00.000Z')
  const notices = (await listNotices(app.deps)).filter(notice => notice.id.startsWith('stay-code-'))
  expect(notices.map(notice => notice.id)).toEqual([`stay-code-${second}`, `stay-code-${first}`])
  expect(notices[1]?.detail).toContain('Front door, was due Jul 2, 2026, 10:00 AM EDT.')
})

test('the owner reads who arrives next, and is told while a guest may stay past that arrival [STAY-10]', async () => {
  const { app, at, id, owner } = await stayApp()
  const next = async () => (await owner().stays.adminGet({ applicationId: id })).next
  const told = async () =>
    (await listNotices(app.deps))
      .filter(notice => notice.id === `stay-overlap-${id}`)
      .map(({ detail }) => detail)
  expect(await next()).toBeNull()
  const feed = await makeFeed(app)
  await makeEvent(app, feed, { start: '2026-07-02', end: '2026-07-03' }, { kind: 'block' })
  await makeEvent(app, feed, { start: '2026-07-09', end: '2026-07-12' })
  expect(await next()).toBeNull()
  const platform = await makeEvent(app, feed, { start: '2026-07-08', end: '2026-07-12' })
  expect(await next()).toEqual({ guestName: 'A guest of Airbnb', at: '2026-07-08T20:00:00.000Z' })
  const entry = buildEntry({ startDate: '2026-07-03', endDate: '2026-07-07', generateLease: false })
  const { application } = await owner().manualBookings.create(entry)
  const { firstName, lastName } = application
  const guestName = `${firstName} ${lastName}`
  expect(await next()).toEqual({ guestName, at: '2026-07-03T20:00:00.000Z' })
  await at('2026-06-30T12:00:00.000Z')
  const open = (until: string) =>
    owner().stays.hold({ applicationId: id, hold: 'open', reason: 'Storm', until })
  await open('2026-07-03')
  expect(await told()).toEqual([])
  await open('2026-07-04')
  expect(await told()).toEqual([
    `${guestName} arrives Jul 3, 2026, 4:00 PM EDT, and this stay is open until Jul 4, 2026, 10:00 AM EDT. Choose another day, or agree on it with both guests.`,
  ])
  await at('2026-07-03T20:00:00.000Z')
  expect(await told()).toEqual([
    `${guestName} was to arrive Jul 3, 2026, 4:00 PM EDT, and this stay is open until Jul 4, 2026, 10:00 AM EDT. Close it, or agree on it with both guests.`,
  ])
  // Once that guest has left, the one after is next.
  await at('2026-07-07T14:00:00.000Z')
  expect(await next()).toMatchObject({ guestName: 'A guest of Airbnb' })
  await open('2026-07-08')
  expect(await told()).toEqual([])
  await at('2026-06-30T12:00:00.000Z')
  await open('2026-07-04')
  await owner().applications.adminSetStatus({ id: application.id, status: 'rejected' })
  await app.deps.write(tx => tx.delete(calendarEvents).where(eq(calendarEvents.id, platform)).run())
  expect([await next(), await told()]).toEqual([null, []])
})

test('the owner’s day has the departure of a guest who may stay for longer [STAY-10]', async () => {
  const { at, id, owner } = await stayApp()
  const day = async () => {
    const { figures, staying, visits } = await owner().notices.ownerDay()
    return [
      staying,
      figures.departure?.day,
      visits.map(({ day, detail, title }) => `${day}: ${title}, ${detail}`),
    ]
  }
  await at('2026-06-29T12:00:00.000Z')
  expect(await day()).toEqual([
    'Maya Rivers is staying until Jul 1.',
    'Jul 1',
    ['Wed, Jul 1: Maya Rivers leaves, 30 nights · 1 guest'],
  ])
  await owner().stays.hold({ applicationId: id, hold: 'open', reason: 'Storm', until: '2026-07-03' })
  expect(await day()).toEqual([
    'Maya Rivers is staying until Jul 3.',
    'Jul 3',
    ['Fri, Jul 3: Maya Rivers leaves, 30 nights · 1 guest'],
  ])
})

test('24 hours before check-in the owner is told why a guest cannot come in [STAY-08]', async () => {
  const { app, at, id, owner } = await stayApp({ isPaid: false })
  const told = async () => (await listNotices(app.deps)).filter(notice => notice.id === `stay-locked-${id}`)
  await at('2026-05-31T19:59:00.000Z')
  expect(await told()).toEqual([])
  await at('2026-05-31T20:00:00.000Z')
  expect(await told()).toMatchObject([
    {
      tone: 'danger',
      title: 'Maya Rivers cannot come in yet',
      detail: 'Arrival Jun 1, 2026, 4:00 PM EDT. Missing: Deposit of $500.00; $2,500.00.',
      action: { kind: 'arrival', applicationId: id },
    },
  ])
  await owner().stays.hold({ applicationId: id, hold: 'open', reason: 'Known guest' })
  expect(await told()).toEqual([])
})

test('a stay opened or closed by hand shows the owner what is missing, and its state after going back to automatic [STAY-10]', async () => {
  const { app, at, id, owner, tenant } = await stayApp({ isPaid: false })
  const read = async () => {
    const { hold, stay } = await owner().stays.adminGet({ applicationId: id })
    return [stay.gate.state, hold?.automatic, stay.gate.missing.map(({ text }) => text)]
  }
  const hold = (to: 'open' | 'closed' | null) =>
    owner().stays.hold({ applicationId: id, hold: to, reason: 'Known guest' })
  const missing = ['Deposit of $500.00', '$2,500.00']
  await hold('open')
  expect(await read()).toEqual(['open', 'locked', missing])
  expect((await app.as(tenant).stays.get({ applicationId: id })).stay?.gate.missing).toEqual([])
  await hold('closed')
  expect(await read()).toEqual(['closed', 'locked', missing])
  await hold('open')
  // A stay that was open before check-in stays open after it.
  await at('2026-06-02T12:00:00.000Z')
  expect(await read()).toEqual(['open', 'open', missing])
  await owner().stays.hold({ applicationId: id, hold: 'open', reason: 'Storm', until: '2026-07-03' })
  await at('2026-07-02T12:00:00.000Z')
  expect(await read()).toEqual(['open', 'closed', missing])
  await hold(null)
  expect(await read()).toEqual(['closed', undefined, []])
})

test('a code created during the stay is due when it is created', async () => {
  const { at, id, owner } = await stayApp()
  await at('2026-06-10T12:00:00.000Z')
  await owner().stays.changeCode({ lockId: perStay, applicationId: id })
  const { tasks } = await owner().stays.codes()
  expect(tasks.find(({ action }) => action === 'set')).toMatchObject({
    until: '2026-06-10T12:00:00.000Z',
    tone: 'danger',
  })
})

test('texts are limited Markdown, checked when they are saved [STAY-05]', async () => {
  const { app, at, id, save, tenant } = await stayApp()
  await at(opening)
  const entry = { title: 'Stove', text: '1. **Gas** on', picture: 'hero', alt: 'The stove' }
  await save('manual', { entries: [entry] })
  const { stay } = await app.as(tenant).stays.get({ applicationId: id })
  expect(stay).toMatchObject({
    blocks: {
      'entry.text': [{ kind: 'paragraph' }],
      'manual.entries.0.text': [
        { kind: 'list', ordered: true, items: [[{ text: 'Gas', bold: true }, { text: ' on' }]] },
      ],
    },
    pictures: { hero: { webp: expect.arrayContaining([expect.any(Number)]) } },
  })
  const unknown = { ...entry, picture: 'unknown' }
  expect((await refusal(save('manual', { entries: [entry, unknown] }))).fields).toEqual({
    'entries.1.picture': 'This picture does not exist.',
  })
  const refused = async (text: string) => (await refusal(save('parking', { text }))).fields
  expect(await refused('[Lot](javascript:go)')).toEqual({
    text: expect.stringContaining('A link may lead to'),
  })
  expect(await refused('*_'.repeat(900))).toEqual({ text: expect.stringContaining('at most') })
})

test('before the stay opens, only what shows from booking on is there; after it, the contacts [STAY-12, STAY-30]', async () => {
  const { app, at, id, owner, save, tenant } = await stayApp()
  await save('welcome', { text: 'Hello', from: 'booked' })
  await save('contacts', { people: [{ name: 'Ben', role: 'Host', phone: '850-555-0100' }] })
  const stay = async () => (await app.as(tenant).stays.get({ applicationId: id })).stay
  expect(Object.keys((await stay())?.sections ?? {})).toEqual(['welcome', 'contacts'])
  expect(await stay()).toMatchObject({ locks: [], nights: 30, checkInAt: checkIn, firstName: 'Maya' })
  await at(opening)
  expect(Object.keys((await stay())?.sections ?? {})).toEqual([
    'welcome',
    'directions',
    'entry',
    'wifi',
    'contacts',
  ])
  expect((await stay())?.locks).toMatchObject([{ name: 'Front door', ready: false }, { ready: true }])
  await at('2026-07-02T00:00:00.000Z')
  expect(await stay()).toMatchObject({ gate: { state: 'closed' }, locks: [] })
  expect(Object.keys((await stay())?.sections ?? {})).toEqual(['contacts'])
  expect(Object.keys((await owner().stays.adminGet({ applicationId: id })).stay.sections)).toHaveLength(5)
})

test('without the key a show is refused with where to write, and the owner is told [STAY-23]', async () => {
  const { app, at, id, save, show, tenant } = await stayApp()
  await at(opening)
  app.deps.key = { state: 'damaged' } as never
  expect((await refusal(show(standing))).message).toMatch(
    /^This code cannot be read at the moment. Please write to /,
  )
  expect((await refusal(app.as(tenant).stays.showWifi({ applicationId: id }))).code).toBe('CONFLICT')
  expect(listCriticalNotices(app.deps).map(notice => notice.id)).toContain('stay-key')
  expect(await save('parking', { text: 'Lot 4' })).toMatchObject({ section: { version: 1 } })
  // Without the password, it would be lost for good.
  const { fields } = await refusal(save('wifi', { network: 'Beach' }))
  expect(fields).toEqual({ password: 'The password cannot be read at the moment. Please enter it again.' })
})

test('secrets stand in no answer but their own, no event, mail, notice or file of the database [STAY-18]', async () => {
  const { app, at, id, owner, show, tenant } = await stayApp()
  await at(opening)
  await show(standing)
  const answers = [
    await app.as(tenant).stays.get({ applicationId: id }),
    await owner().stays.adminGet({ applicationId: id }),
    await owner().stays.arrival(),
    await owner().stays.codes(),
    await listNotices(app.deps),
    app.deps.db.select().from(events).all(),
    app.deps.db.select().from(outbox).all(),
  ]
  const files = ['portal.sqlite', 'portal.sqlite-wal'].map(name =>
    readFileSync(join(app.folder, name), 'latin1'),
  )
  for (const secret of ['73A9', password])
    expect([JSON.stringify(answers), ...files].join()).not.toContain(secret)
})
