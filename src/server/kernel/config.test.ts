import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { productionEnv } from '../../testing/production-env.ts'
import { ConfigError, type Environment, readConfig } from './config.ts'

/** The faults in the startup error message. */
function faultsOf(environment: Environment): string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [first, ...faults] = error.message.split('\n')
    expect(first).toBe('The site was not started. Please set these in its environment:')
    return faults.map(fault => fault.replace(/^ {2}- /, ''))
  }
  return []
}

test('the demo starts without any setting, reachable only from this machine', () => {
  expect(readConfig({})).toMatchObject({
    mode: 'demo',
    host: '127.0.0.1',
    port: 3000,
    origin: 'http://localhost:3000',
    databaseFile: join(projectRoot, 'db/portal.sqlite'),
    uploadsDir: join(projectRoot, 'uploads'),
    firstAdmin: undefined,
    sandbox: true,
    mailbox: true,
    cardFeeBasisPoints: 300,
    trustProxy: [],
    rateLimits: true,
    demo: { seed: true, hosts: ['localhost', '127.0.0.1', '[::1]'] },
  })
})

test('production has no sandbox, no mailbox and no demo data', () => {
  expect(readConfig({ ...productionEnv, DEMO_SEED: 'on' })).toMatchObject({
    mode: 'production',
    sandbox: false,
    mailbox: false,
    demo: { seed: false },
    stripe: { secretKey: undefined },
    smtpUrl: undefined,
  })
})

test('DEMO_SEED=off starts the demo without data', () => {
  expect(readConfig({ DEMO_SEED: 'off' })).toMatchObject({ mode: 'demo', demo: { seed: false } })
  expect(() => readConfig({ DEMO_SEED: 'no' })).toThrow('DEMO_SEED')
})

test('one message lists every fault', () => {
  const faults = faultsOf({
    NODE_ENV: 'production',
    PORT: '99999',
    OWNER_EMAIL: 'nobody',
    PROPERTY_TIMEZONE: 'Florida',
    SMTP_URL: 'mail.example',
    LOG_LEVEL: 'loud',
    CARD_FEE_PERCENT: '30',
    RATE_LIMITS: 'no',
  })
  const names = faults.map(fault => fault.split(' ')[0])
  expect(names.sort()).toEqual([
    'CARD_FEE_PERCENT',
    'COMPANY_NAME',
    'LOG_LEVEL',
    'ORIGIN',
    'OWNER_EMAIL',
    'OWNER_PHONE',
    'PORT',
    'PROPERTY_ADDRESS',
    'PROPERTY_NAME',
    'PROPERTY_TIMEZONE',
    'RATE_LIMITS',
    'SMTP_URL',
  ])
})

test('the message contains no secret', () => {
  const secrets = {
    ADMIN_PASSWORD: 'weak secret',
    STRIPE_SECRET_KEY: 'secret of stripe',
    SMTP_URL: 'user:secret@mail.example',
  }
  const faults = faultsOf({ ...productionEnv, ...secrets, ADMIN_EMAIL: 'owner@condo.example' })
  expect(faults).toHaveLength(3)
  expect(faults.join()).not.toContain('secret')
})

test('keeps backups out of the folder of stored files', () => {
  const folders = (BACKUP_DIR: string, BACKUPS = 'on') =>
    faultsOf({ ...productionEnv, UPLOADS_DIR: '/x/uploads', BACKUP_DIR, BACKUPS })
  for (const inside of ['/x/uploads', '/x/uploads/', '/x/uploads/orphans', '/x/uploads/incoming/x']) {
    expect(folders(inside)).toEqual(['BACKUP_DIR must not be UPLOADS_DIR, or its orphans or incoming'])
    expect(folders(inside, 'off')).toEqual([])
  }
  for (const outside of ['/x', '/x/uploads-saved', '/x/..uploads', '/x/uploads/backups'])
    expect(folders(outside)).toEqual([])
})

test('treats blank values as missing', () => {
  expect(readConfig({ PORT: ' ', CARD_FEE_PERCENT: '', ORIGIN: '  ' })).toMatchObject({
    port: 3000,
    cardFeeBasisPoints: 300,
    origin: 'http://localhost:3000',
  })
  expect(faultsOf({ ...productionEnv, COMPANY_NAME: ' ' })).toEqual(['COMPANY_NAME must be set'])
})

test.each([
  ['https://condo.example', []],
  ['https://condo.example:8443', []],
  ['http://localhost:3000', []],
  ['http://127.0.0.1:3000', []],
  ['http://condo.example', ['ORIGIN must be an https address (http only for localhost)']],
  ['http://127.evil.example', ['ORIGIN must be an https address (http only for localhost)']],
  ['https://condo.example/', ['ORIGIN must be an address like https://condo.example, without a path']],
  ['https://condo.example/portal', ['ORIGIN must be an address like https://condo.example, without a path']],
  ['condo.example', ['ORIGIN must be an address like https://condo.example, without a path']],
])('production with ORIGIN=%s reports %j', (ORIGIN, faults) => {
  expect(faultsOf({ ...productionEnv, ORIGIN })).toEqual(faults)
})

test.each<[Environment, string]>([
  [{ ORIGIN: undefined }, 'ORIGIN must be set to the public https address of the site'],
  [{ RATE_LIMITS: 'off' }, 'RATE_LIMITS can be off only outside production'],
  [
    { STRIPE_API_BASE: 'https://stripe.evil.example' },
    'STRIPE_API_BASE must be a loopback address in production; leave it out to use Stripe',
  ],
  [
    { STRIPE_API_BASE: 'http://127.evil.example' },
    'STRIPE_API_BASE must be a loopback address in production; leave it out to use Stripe',
  ],
  [{ STRIPE_SECRET_KEY: 'sk_live_x' }, 'STRIPE_WEBHOOK_SECRET must be set where STRIPE_SECRET_KEY is'],
  [{ STRIPE_PUBLISHABLE_KEY: 'pk_live_x' }, 'STRIPE_SECRET_KEY must be set where the other STRIPE_ keys are'],
  [
    {
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
    },
    'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be live keys or both be test keys',
  ],
  [{ SMTP_URL: 'smtps://mail.example' }, 'MAIL_FROM must be set'],
  [
    { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'a@condo.example, b@condo.example' },
    'MAIL_FROM must be one sender like Condo <no-reply@condo.example>',
  ],
  [
    { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'Seaglass, Inc. <a@condo.example>' },
    'MAIL_FROM must be one sender like Condo <no-reply@condo.example>',
  ],
  [{ DATABASE_FILE: ':memory:' }, 'DATABASE_FILE must be a file in production: memory is lost at every stop'],
  [{ ADMIN_EMAIL: 'owner@condo.example' }, 'ADMIN_EMAIL and ADMIN_PASSWORD must be set together, or neither'],
  [
    { ADMIN_PASSWORD: 'Tides.and.dunes.9' },
    'ADMIN_EMAIL and ADMIN_PASSWORD must be set together, or neither',
  ],
])('production rejects %j', (change, fault) => {
  expect(faultsOf({ ...productionEnv, ...change })).toEqual([fault])
})

test('rejects a weak ADMIN_PASSWORD in both modes', () => {
  for (const mode of [{}, productionEnv]) {
    const [fault, ...rest] = faultsOf({
      ...mode,
      ADMIN_EMAIL: 'owner@condo.example',
      ADMIN_PASSWORD: 'weak but long',
    })
    expect(fault).toMatch(/^ADMIN_PASSWORD is too weak: /)
    expect(rest).toEqual([])
  }
})

test.each([
  ['a@condo.example', ''],
  ['Condo <a@condo.example>', 'Condo'],
  ['"Seaglass, Inc." <a@condo.example>', 'Seaglass, Inc.'],
])('reads name and address of MAIL_FROM=%s', (MAIL_FROM, name) => {
  const environment = { ...productionEnv, SMTP_URL: 'smtps://mail.example', MAIL_FROM }
  expect(readConfig(environment).mailFrom).toEqual({ name, address: 'a@condo.example' })
})

test.each(['prod', 'Production', 'PROD'])('rejects NODE_ENV=%s as production', NODE_ENV => {
  expect(faultsOf({ NODE_ENV })).toEqual(['NODE_ENV must be exactly "production", or left out for the demo'])
})

test('the demo rejects a live key', () => {
  expect(faultsOf({ STRIPE_SECRET_KEY: 'sk_live_x' })).toEqual([
    'STRIPE_SECRET_KEY is a live key: set NODE_ENV=production to take real payments',
  ])
})

test.each([
  ['127.0.0.1', ['127.0.0.1']],
  ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
])('trusts the proxies %s', (TRUST_PROXY, list) => {
  expect(readConfig({ ...productionEnv, TRUST_PROXY }).trustProxy).toEqual(list)
})

test.each(['true', '1', '*', '0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0.0/8/8', '127.0.0.1,proxy.example'])(
  'rejects TRUST_PROXY=%s',
  TRUST_PROXY => {
    expect(faultsOf({ ...productionEnv, TRUST_PROXY })).toEqual([
      'TRUST_PROXY must list addresses or networks, such as 127.0.0.1, 10.0.0.0/8',
    ])
  },
)

test('lower-cases DEMO_HOSTS, and an external SMTP server or Stripe API replaces the embedded one', () => {
  const config = readConfig({
    DEMO_HOSTS: 'Condo.local, other.local',
    SMTP_URL: 'smtp://127.0.0.1:2525',
    STRIPE_API_BASE: 'http://127.0.0.1:4400',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
  })
  expect(config.demo.hosts).toEqual(['localhost', '127.0.0.1', '[::1]', 'condo.local', 'other.local'])
  expect(config).toMatchObject({ sandbox: false, mailbox: false })
})

test.each([
  ['90', 90_000],
  ['-90', -90_000],
  ['+3d', 3 * 86_400_000],
  ['-2h', -2 * 3_600_000],
  ['15m', 15 * 60_000],
  ['30s', 30_000],
  ['0', 0],
])('CLOCK_OFFSET=%s moves the clock by %d ms, only in the demo', (CLOCK_OFFSET, ms) => {
  expect(readConfig({ CLOCK_OFFSET }).clockOffsetMs).toBe(ms)
  expect(faultsOf({ ...productionEnv, CLOCK_OFFSET })).toEqual([
    'CLOCK_OFFSET can be set only outside production: leave it out',
  ])
})

test.each(['tomorrow', '3 d', '1.5h', '+', '2w', '3661d', '999999999999d'])(
  'rejects CLOCK_OFFSET=%s',
  CLOCK_OFFSET => {
    expect(faultsOf({ CLOCK_OFFSET })).toEqual([
      'CLOCK_OFFSET must be seconds, or like +3d, -2h or 90m, and at most ten years',
    ])
  },
)

test('uses this machine’s clock without CLOCK_OFFSET', () => {
  expect(readConfig({}).clockOffsetMs).toBe(0)
  expect(readConfig(productionEnv).clockOffsetMs).toBe(0)
})

test('FETCH_ALLOW lists the exact local origins that may be fetched [CAL-06]', () => {
  expect(readConfig({ DEMO_SEED: 'off' }).fetchAllow).toEqual([])
  // The demo reads a calendar that it serves itself.
  expect(readConfig({ PORT: '3100' }).fetchAllow).toEqual(['http://127.0.0.1:3100'])
  const FETCH_ALLOW = 'http://127.0.0.1:4400, https://localhost:4443,http://[::1]:4401'
  expect(readConfig({ FETCH_ALLOW, DEMO_SEED: 'off' }).fetchAllow).toEqual([
    'http://127.0.0.1:4400',
    'https://localhost:4443',
    'http://[::1]:4401',
  ])
})

test.each([
  '*',
  '127.0.0.1',
  '127.0.0.1:4400',
  'http://127.0.0.1:4400/',
  'http://127.1:4400',
  'ftp://127.0.0.1',
])('rejects FETCH_ALLOW=%s [CAL-06]', origin => {
  expect(faultsOf({ FETCH_ALLOW: `http://127.0.0.1:4401,${origin}` })).toEqual([
    'FETCH_ALLOW must list addresses like http://127.0.0.1:4400, without a path',
  ])
})

test.each(['http://127.0.0.1:4400', 'https://feed.example'])(
  'production refuses to start with FETCH_ALLOW=%s [CAL-06]',
  FETCH_ALLOW => {
    expect(faultsOf({ ...productionEnv, FETCH_ALLOW })).toEqual([
      'FETCH_ALLOW can be set only outside production: leave it out',
    ])
    expect(readConfig(productionEnv).fetchAllow).toEqual([])
  },
)
