import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { installationFacts, linkTokens, users } from '../../../../db/schema.ts'
import { hourMs } from '../../../domain/common/durations.ts'
import { installSteps } from '../../../domain/content/install.ts'
import { enableTwoStep } from '../../../testing/build-factor.ts'
import { errorOf } from '../../../testing/build-site.ts'
import { afterThisTest } from '../../../testing/cleanups.ts'
import { productionEnv } from '../../../testing/production-env.ts'
import { type TestApp, testApp, visitor } from '../../../testing/test-app.ts'
import type { Environment } from '../../kernel/config.ts'
import { describeError } from '../../kernel/trpc.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { startOutside } from '../../start-site.ts'
import { makeInstallLink } from './first-admin.ts'

const bare = { NODE_ENV: 'production', ORIGIN: 'https://condo.example' }
const olive = { firstName: 'Olive', lastName: 'Shore', email: 'olive@condo.example', password: 'Tides.and.9' }
const condo = {
  companyName: 'Dune Rentals',
  propertyName: 'Dune Condo',
  propertyAddress: '1 Beach Road, Seabright Beach, FL 32000',
  ownerEmail: 'hello@dune.example',
  ownerPhone: '850-555-0199',
  timeZone: 'America/Chicago',
}

/** A site that was never opened. */
async function newSite(env: Environment = bare) {
  const app = await testApp({ env })
  await app.deps.write(tx => tx.delete(installationFacts).where(eq(installationFacts.key, 'opening')).run())
  return app
}

async function newToken({ deps }: TestApp): Promise<string> {
  const url = await makeInstallLink(deps)
  expect(url).toMatch(/^http\S+\/install#[\w-]{20,}$/)
  return url.split('#')[1] ?? ''
}

/** A new site with its first administrator. */
async function withOwner(env?: Environment) {
  const app = await newSite(env)
  const { user } = await app.as(visitor).install.account({ token: await newToken(app), ...olive })
  const actor = { role: 'admin', userId: user.id, requestOrigin: visitor.requestOrigin } as const
  return { app, actor, owner: app.as(actor) }
}

const post = ({ http }: TestApp, path: string, payload: object, remoteAddress = '203.0.113.1') =>
  http.inject({ method: 'POST', url: `/api/install/${path}`, payload, remoteAddress })

test('without an administrator and without facts, everything but the installation is 503 [INST-14]', async () => {
  const app = await newSite()
  const token = await newToken(app)
  expect((await app.http.inject('/api/health')).statusCode).toBe(200)
  expect((await post(app, 'open', { token })).statusCode).toBe(200)
  for (const url of [
    '/',
    '/contact',
    '/robots.txt',
    '/api/rates',
    '/api/docs',
    '/trpc/install.get,site.get',
    '/trpc/install.get%2Csite.get?batch=1',
    '/trpc/install.get%252Csite.get?batch=1',
  ]) {
    const { body, headers, statusCode } = await app.http.inject(url)
    expect({ url, statusCode, robots: headers['x-robots-tag'] }).toEqual({
      url,
      statusCode: 503,
      robots: 'noindex',
    })
    expect(body).toContain('This site is being set up.')
  }
  await app.as(visitor).install.account({ token, ...olive })
  expect((await app.http.inject('/api/rates')).json().error).toBe('This site is not open yet.')
})

test('with the facts, or in the demo, a site without an administrator is as before [INST-14]', async () => {
  for (const env of [productionEnv, {}]) {
    const app = await testApp({ env })
    expect((await app.http.inject('/api/rates')).statusCode).toBe(200)
    await expect(makeInstallLink(app.deps)).rejects.toThrow('needs no link')
    expect((await post(app, 'open', { token: 'x'.repeat(43) })).statusCode).toBe(404)
    expect(await errorOf(app.as(await app.makeAdmin()).install.get())).toMatchObject({ code: 'not_found' })
  }
})

test('a site whose environment has lost its facts does not start, and is not set up again [INST-14]', async () => {
  const before = await testApp({ env: productionEnv })
  await before.makeAdmin()
  const env = {
    ...bare,
    DATABASE_FILE: before.deps.config.databaseFile,
    UPLOADS_DIR: before.deps.config.uploadsDir,
  }
  await expect(testApp({ env })).rejects.toThrow('COMPANY_NAME must be set')
})

test('the link works once, for a day, and a new one ends it; only its hash is stored [INST-15]', async () => {
  const app = await newSite()
  const first = await newToken(app)
  const second = await newToken(app)
  const open = async (token: string) => (await post(app, 'open', { token })).statusCode
  expect(await open(first)).toBe(404)
  expect(await open(second)).toBe(200)
  app.advance(24 * hourMs)
  expect(await open(second)).toBe(404)
  expect((await post(app, 'account', { token: second, ...olive })).statusCode).toBe(404)
  expect(app.deps.db.select().from(linkTokens).all()).toHaveLength(2)
  const stored = ['', '-wal'].map(end => readFileSync(app.deps.config.databaseFile + end).toString('latin1'))
  expect(stored.join()).not.toContain(second)

  const third = await newToken(app)
  const weak = await post(app, 'account', { token: third, ...olive, password: 'tides and dunes' })
  expect([weak.statusCode, weak.json().fields.password]).toEqual([400, expect.stringContaining('uppercase')])
  const made = await post(app, 'account', { token: third, ...olive })
  expect([made.statusCode, made.json().user.role]).toEqual([201, 'admin'])
  expect(await open(third)).toBe(404)
  await expect(makeInstallLink(app.deps)).rejects.toThrow('This site has an administrator.')
})

test('of 50 at once with the same link, one makes the administrator [INST-15]', async () => {
  const app = await newSite()
  const token = await newToken(app)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      post(app, 'account', { token, ...olive, email: `owner${i}@condo.example` }, `203.0.${i % 5}.1`),
    ),
  )
  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(statuses.filter(status => status === 201)).toHaveLength(1)
  expect(statuses.filter(status => status === 404)).toHaveLength(49)
  expect(app.deps.db.select({ role: users.role }).from(users).all()).toEqual([{ role: 'admin' }])
})

test('second step and condo cannot wait, the others can, and the last step ends the installation [INST-16, INST-17]', async () => {
  const { app, actor, owner } = await withOwner()
  const { install } = owner
  const open = async () =>
    (await install.get()).steps.filter(({ state }) => state === 'open').map(({ key }) => key)
  expect(await open()).toEqual(installSteps.slice(1).filter(key => key !== 'mail'))
  for (const key of ['secondStep', 'condo', 'done'] as const)
    expect(await errorOf(install.leave({ key }))).toMatchObject({ code: 'conflict' })
  await enableTwoStep(app, actor, olive.password)
  await install.saveCondo(condo)
  await install.leave({ key: 'cards' })
  expect(await open()).toEqual(['backups', 'done'])
  expect((await owner.opening.get()).lines.find(({ key }) => key === 'account')?.required).toBe(true)
  await install.leave({ key: 'done' })
  expect(await errorOf(install.get())).toMatchObject({ code: 'not_found' })
})

test('the link stops working when an administrator is created on the command line [INST-15]', async () => {
  const app = await newSite()
  const token = await newToken(app)
  await app.makeAdmin()
  expect((await post(app, 'account', { token, ...olive })).statusCode).toBe(404)
})

test('no mail is sent until the owner has entered the contact details [INST-14]', async () => {
  const { app, owner } = await withOwner()
  const at = app.deps.clock.now().toISOString()
  const queue = (dedupeKey: string) =>
    app.deps.write(tx =>
      enqueueMail(tx, at, { kind: 'test-mail', props: {}, to: 'maya@guest.example', dedupeKey }),
    )
  await queue('early')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  afterThisTest(() => void vi.useRealTimers())
  const outside = startOutside(app.deps)
  afterThisTest(outside.stop)
  // The mail worker looks every two seconds. The time is for composing a mail.
  const look = async () => {
    vi.advanceTimersByTime(2000)
    await sleep(200)
    return app.sentMails.length
  }
  for (let looks = 0; looks < 3; looks++) expect(await look()).toBe(0)
  await owner.install.saveCondo(condo)
  await expect.poll(look, { timeout: 10_000 }).toBe(1)
})

test('after the backups step the owner is asked whether backups are copied elsewhere, and can postpone the question [INST-20]', async () => {
  const { owner } = await withOwner()
  const asked = async () =>
    (await owner.notices.list()).notices.filter(({ id }) => id === 'backups-elsewhere').length
  expect(await asked()).toBe(0)
  await owner.install.leave({ key: 'backups' })
  expect(await asked()).toBe(1)
  await owner.notices.putOff({ id: 'backups-elsewhere' })
  expect(await asked()).toBe(0)
})

test('a notice says that the address works on this machine only, until a public one is set', async () => {
  const told = async (env: Record<string, string>) => {
    const { owner } = await withOwner({ ...bare, ...env })
    const { notices } = await owner.notices.list()
    const address = (await owner.notices.server()).states.find(({ label }) => label === 'Address')
    return [notices.some(({ id }) => id === 'local-address'), address?.isMissing, address?.state]
  }
  expect(await told({ ORIGIN: '' })).toEqual([true, true, 'http://localhost:3000, on this machine only'])
  expect(await told({ ORIGIN: 'https://condo.example' })).toEqual([false, false, 'https://condo.example'])
})

test('the condo becomes version 1, and its time zone is saved, but the environment wins [INST-16]', async () => {
  const { actor, app, owner } = await withOwner()
  expect(await owner.install.get()).toMatchObject({ timeZone: null, fixedTimeZone: null })
  const blank = await owner.install.saveCondo({ ...condo, ownerPhone: ' ' }).catch(describeError)
  expect(blank).toMatchObject({ fields: { ownerPhone: expect.stringContaining('required') } })
  const mistyped = { ...condo, ownerEmail: 'rosa@marsh', ownerPhone: '12' }
  expect(await owner.install.saveCondo(mistyped).catch(describeError)).toMatchObject({
    fields: {
      ownerEmail: 'Please enter a valid email address',
      ownerPhone: 'Please enter a valid phone number',
    },
  })
  expect(await owner.install.saveCondo(condo)).toMatchObject({ timeZone: 'America/Chicago' })
  expect(app.deps.siteContent()).toMatchObject({
    version: 1,
    content: { identity: { ownerPhone: '850-555-0199' } },
  })
  expect(app.deps.config.site.timeZone).toBe('America/Chicago')
  await owner.install.saveCondo(condo)
  expect(app.deps.siteContent().version).toBe(1)
  await owner.install.saveCondo({ ...condo, ownerPhone: '850-555-0100', timeZone: 'America/Denver' })
  expect([app.deps.siteContent().version, app.deps.config.site.timeZone]).toEqual([2, 'America/Denver'])
  expect(app.sentMails).toEqual([])
  // Changing only the time zone needs a step-up, too.
  const stolen = { ...actor, sessionId: 'without proof' }
  const moved = { ...condo, ownerPhone: '850-555-0100', timeZone: 'America/Chicago' }
  await expect(app.as(stolen).install.saveCondo(moved)).rejects.toThrow('Please confirm that it is you.')

  const fixed = await withOwner({ ...bare, PROPERTY_TIMEZONE: 'America/Denver' })
  expect(await fixed.owner.install.saveCondo(condo)).toMatchObject({ fixedTimeZone: 'America/Denver' })
  expect(fixed.app.deps.config.site.timeZone).toBe('America/Denver')
})

test('what is answered at /install is done in the card, and the other way round [OPEN-08]', async () => {
  const { app, actor, owner } = await withOwner()
  const { install, opening } = owner
  const card = async () =>
    Object.fromEntries((await opening.get()).lines.map(({ key, state }) => [key, state]))
  const steps = async () =>
    Object.fromEntries((await install.get()).steps.map(({ key, state }) => [key, state]))
  expect(await card()).toMatchObject({ contact: 'open', account: 'open', payments: 'open' })
  await install.saveCondo(condo)
  await enableTwoStep(app, actor, olive.password)
  await install.leave({ key: 'cards' })
  expect(await card()).toMatchObject({ contact: 'done', account: 'done', payments: 'open' })
  expect(await steps()).toMatchObject({ condo: 'done', secondStep: 'done', mail: 'done', cards: 'later' })

  const other = await withOwner()
  await other.owner.opening.decline({ key: 'payments', declined: true })
  expect((await other.owner.install.get()).steps).toContainEqual({ key: 'cards', state: 'later' })
})
