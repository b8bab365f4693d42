import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accessLinks, events, sessions, users } from '../../../../db/schema.ts'
import { bookingRulesSection } from '../../../domain/bookings/booking-rules-form.ts'
import { call, isSessionValid, logInAs, signUp, signUpAdmin } from '../../../testing/build-account.ts'
import { productionEnv } from '../../../testing/production-env.ts'
import { type TestApp, testApp, visitor } from '../../../testing/test-app.ts'
import { ConfigError, type Environment } from '../../kernel/config.ts'
import { isMarkedAsDemo } from '../../kernel/demo-mark.ts'
import { readSection } from '../../site/settings.ts'
import { createAdmin, ensureFirstAdmin, resetAdminPassword } from './admins.ts'
import { forceEmailChange } from './email-change/force-change.ts'

const strong = 'Tides.and.dunes.9'
const configured = { ADMIN_EMAIL: 'Olive@condo.example', ADMIN_PASSWORD: strong }
test('creates the configured administrator once, who can log in', async () => {
  const app = await testApp({ env: { ...productionEnv, ...configured } })
  expect(await ensureFirstAdmin(app.deps)).toBe('The administrator Olive@condo.example was created.')
  expect(await ensureFirstAdmin(app.deps)).toBeUndefined()
  expect((await logInAs(app, 'olive@condo.example', strong)).body.user).toMatchObject({ role: 'admin' })
  expect(await app.deps.db.$count(users)).toBe(1)
  expect(app.deps.db.select().from(events).get()).toMatchObject({
    kind: 'account.created',
    actorRole: 'system',
    detail: { role: 'admin' },
  })
})

test('a new production site holds guests to the stay length of its rates; a demo or an existing site does not [LOOK-57]', async () => {
  const stayLength = async (env: Environment, prepare = async (_: TestApp) => {}) => {
    const app = await testApp({ env: { ...env, ...configured } })
    await prepare(app)
    await ensureFirstAdmin(app.deps)
    return readSection(app.deps.db, bookingRulesSection).body.stayLength
  }
  expect(await stayLength(productionEnv)).toBe(true)
  expect(await stayLength({})).toBe(false)
  expect(await stayLength(productionEnv, async app => void (await app.makeAdmin()))).toBe(false)
})

test('never changes the password of an existing account at startup', async () => {
  const app = await testApp({ env: configured })
  await ensureFirstAdmin(app.deps)
  await resetAdminPassword(app.deps, 'olive@condo.example', 'Dune.grass.7')
  await ensureFirstAdmin(app.deps)
  expect((await logInAs(app, 'olive@condo.example', strong)).status).toBe(401)
  expect((await logInAs(app, 'olive@condo.example', 'Dune.grass.7')).status).toBe(200)
})

test('refuses to start when the configured administrator is a tenant', async () => {
  const app = await testApp({ env: configured })
  const { user } = await signUp(app, { email: 'olive@CONDO.example' })
  await expect(ensureFirstAdmin(app.deps)).rejects.toThrow(ConfigError)
  await expect(ensureFirstAdmin(app.deps)).rejects.toThrow("is the email of a tenant's account")
  expect(app.deps.db.query.users.findMany().sync()).toMatchObject([{ id: user.id, role: 'tenant' }])
})

test('does not recreate an administrator whose email was changed, even when a tenant has the former one now', async () => {
  const app = await testApp({ env: configured })
  await ensureFirstAdmin(app.deps)
  const [olive] = app.deps.db.select().from(users).all()
  const input = { email: 'olive@condo.example', newEmail: 'olive@new.example', applicationsToo: false }
  await forceEmailChange(app.deps, input)
  const sentence =
    'The administrator of ADMIN_EMAIL (Olive@condo.example) has another email now; no second one was created.'
  expect(await ensureFirstAdmin(app.deps)).toBe(sentence)
  await app.makeTenant({ email: 'olive@condo.example' })
  expect(await ensureFirstAdmin(app.deps)).toBe(sentence)
  expect(app.deps.db.select().from(users).where(eq(users.role, 'admin')).all()).toMatchObject([
    { id: olive?.id, email: 'olive@new.example' },
  ])
})

test('creates the configured administrator next to an existing one', async () => {
  const app = await testApp({ env: configured })
  await signUpAdmin(app)
  expect(await ensureFirstAdmin(app.deps)).toContain('was created')
  expect(await app.deps.db.$count(users)).toBe(2)
})

test('creates no administrator in production, warns about it, and the site reports it', async () => {
  const app = await testApp({ env: productionEnv })
  expect(await ensureFirstAdmin(app.deps)).toContain('There is no administrator yet.')
  expect(await app.deps.db.$count(users)).toBe(0)
  expect((await app.as(visitor).site.get()).site.hasAdmin).toBe(false)
  await signUp(app)
  expect((await app.as(visitor).site.get()).site.hasAdmin).toBe(false)
  await createAdmin(app.deps, { email: 'owner@condo.example' }, strong)
  expect((await app.as(visitor).site.get()).site.hasAdmin).toBe(true)
  expect(await ensureFirstAdmin(app.deps)).toBeUndefined()
})

test('creates a demo administrator, and prints its login until its password is changed', async () => {
  const app = await testApp()
  const printed = await ensureFirstAdmin(app.deps)
  const [, email = '', password = ''] = /^Demo administrator: (\S+) \/ (\S+)$/.exec(printed ?? '') ?? []
  expect(email).toBe('owner@condo.example')
  expect((await logInAs(app, email, password)).body.user).toMatchObject({ role: 'admin' })
  expect(await ensureFirstAdmin(app.deps)).toBe(printed)
  expect(isMarkedAsDemo(app.deps.db)).toBe(true)
  await resetAdminPassword(app.deps, email, 'Dune.grass.7')
  expect(await ensureFirstAdmin(app.deps)).toBeUndefined()
  expect((await logInAs(app, email, password)).status).toBe(401)
})

test('creates no demo administrator in a database that has users', async () => {
  const app = await testApp()
  await signUp(app)
  expect(await ensureFirstAdmin(app.deps)).toContain('There is no administrator yet.')
  expect(await app.deps.db.$count(users)).toBe(1)
  expect(isMarkedAsDemo(app.deps.db)).toBe(false)
})

test('refuses a demo database in production', async () => {
  const demo = await testApp()
  await ensureFirstAdmin(demo.deps)
  const config = { ...demo.deps.config, mode: 'production' as const }
  await expect(ensureFirstAdmin({ ...demo.deps, config })).rejects.toThrow('holds the data of the demo')
})

test('rejects a weak password, an invalid email and a taken one for an administrator', async () => {
  const app = await testApp()
  await expect(createAdmin(app.deps, { email: 'owner@condo.example' }, 'weak but long')).rejects.toThrow(
    'at least 8 characters with uppercase',
  )
  await expect(createAdmin(app.deps, { email: 'owner' }, strong)).rejects.toThrow(
    'Please enter a valid email address',
  )
  await signUp(app)
  await expect(createAdmin(app.deps, { email: 'MAYA@guest.example' }, strong)).rejects.toThrow(
    'already exists',
  )
  expect(await app.deps.db.$count(users)).toBe(1)
})

test('a reset from the command line ends sessions and links, and works only for administrators', async () => {
  const app = await testApp()
  const { token, email } = await signUpAdmin(app)
  await call(app, 'POST', '/api/auth/forgot-password', { body: { email } })
  await resetAdminPassword(app.deps, email.toUpperCase(), 'Dune.grass.7')
  expect(await isSessionValid(app, token)).toBe(false)
  expect(
    app.deps.db.select().from(accessLinks).where(eq(accessLinks.kind, 'password_reset')).get()?.revokedAt,
  ).toBeTruthy()
  expect((await logInAs(app, email, 'Dune.grass.7')).status).toBe(200)
  await expect(resetAdminPassword(app.deps, email, 'weak')).rejects.toThrow('at least 8 characters')
  const tenant = await signUp(app)
  await expect(resetAdminPassword(app.deps, tenant.email, 'Dune.grass.8')).rejects.toThrow(
    'No administrator has',
  )
  expect(await isSessionValid(app, tenant.token)).toBe(true)
  expect(await app.deps.db.$count(sessions)).toBe(2)
})
