import { isIPv4, isIPv6 } from 'node:net'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { projectRoot } from '../../../db/project-root.ts'
import { adminPasswordProblem } from '../../domain/account.ts'
import { defaultCardFeeBasisPoints } from '../../domain/money.ts'

export type Config = ReturnType<typeof readConfig>
export type Environment = Record<string, string | undefined>

/** The environment is wrong; the message lists every fault and what to set. */
export class ConfigError extends Error {}

const demoValues = {
  COMPANY_NAME: 'Seaglass Shore Rentals',
  PROPERTY_NAME: 'Seaglass Shore Condo',
  PROPERTY_ADDRESS: '120 Ocean Walk, Unit 2B, Seabright Beach, FL 32000',
  PROPERTY_TIMEZONE: 'America/New_York',
  OWNER_EMAIL: 'owner@condo.example',
  OWNER_PHONE: '850-555-0142',
}

const email = z.string().trim().email('must be one e-mail address, for example owner@example.com')
const filled = z.string({ error: 'must be set' }).trim().min(1, 'must not be empty')
const onOff = z.enum(['on', 'off'], 'must be on or off').transform(value => value === 'on')
const timeZone = filled.refine(isTimeZone, 'must be a time zone such as America/New_York')
const port = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(0)
  .max(65535, 'must be a port, 0 to 65535')
const logLevel = z.enum(
  ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
  'must be one of fatal, error, warn, info, debug, trace, silent',
)
const count = z.coerce.number('must be a number').int('must be a whole number').min(1, 'must be 1 or more')
const percent = z.coerce
  .number('must be a number of percent')
  .min(0, 'must be 0 or more')
  .max(10, 'must be 10 or less')

/**
 * Reads the environment once. Blank values count as missing.
 * @throws ConfigError naming every wrong or missing value at once
 */
export function readConfig(environment: Environment) {
  const env = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const production = env.NODE_ENV === 'production'
  const faults: string[] = []
  const read = <T>(name: string, schema: z.ZodType<T>, fallback?: T): T => {
    if (env[name] === undefined && fallback !== undefined) return fallback
    const result = schema.safeParse(env[name])
    if (result.success) return result.data
    faults.push(
      `${name} ${env[name] === undefined ? 'must be set' : (result.error.issues[0]?.message ?? 'is wrong')}`,
    )
    return fallback as T
  }
  const optional = <T>(name: string, schema: z.ZodType<T>): T | undefined =>
    env[name] === undefined ? undefined : read(name, schema)
  const words = (name: keyof typeof demoValues, schema: z.ZodType<string> = filled) =>
    read(name, schema, production ? undefined : demoValues[name])

  if (!production && /^prod/i.test(env.NODE_ENV?.trim() ?? ''))
    faults.push('NODE_ENV must be exactly "production", or left out for the demo')

  const listenPort = read('PORT', port, 3000)
  const origin = read(
    'ORIGIN',
    z.string().refine(isOrigin, 'must be an address like https://condo.example, without a path'),
    `http://localhost:${listenPort}`,
  )
  if (production && env.ORIGIN === undefined)
    faults.push('ORIGIN must be set to the public https address of the site')
  else if (production && !isOriginAllowedInProduction(origin))
    faults.push('ORIGIN must be an https address (http only for localhost)')

  const adminEmail = optional('ADMIN_EMAIL', email)
  const adminPassword = env.ADMIN_PASSWORD
  if ((adminEmail === undefined) !== (adminPassword === undefined)) {
    faults.push('ADMIN_EMAIL and ADMIN_PASSWORD must be set together, or neither')
  } else if (adminPassword !== undefined && adminPasswordProblem(adminPassword)) {
    faults.push(`ADMIN_PASSWORD is too weak: ${adminPasswordProblem(adminPassword)}`)
  }

  const apiBase = optional(
    'STRIPE_API_BASE',
    z.string().refine(isHttpAddress, 'must be an http or https address'),
  )
  if (production && apiBase && !isLoopback(new URL(apiBase).hostname))
    faults.push('STRIPE_API_BASE must be a loopback address in production; leave it out to use Stripe')
  const secretKey = optional('STRIPE_SECRET_KEY', z.string().regex(/^(sk|rk)_/, 'must begin with sk_ or rk_'))
  const publishableKey = optional('STRIPE_PUBLISHABLE_KEY', z.string().regex(/^pk_/, 'must begin with pk_'))
  const webhookSecret = optional(
    'STRIPE_WEBHOOK_SECRET',
    z.string().regex(/^whsec_/, 'must begin with whsec_'),
  )
  if (production && secretKey && !webhookSecret)
    faults.push('STRIPE_WEBHOOK_SECRET must be set where STRIPE_SECRET_KEY is')
  if (production && !secretKey && (webhookSecret || publishableKey))
    faults.push('STRIPE_SECRET_KEY must be set where the other STRIPE_ keys are')
  if (!production && secretKey?.includes('_live_'))
    faults.push('STRIPE_SECRET_KEY is a live key: set NODE_ENV=production to take real payments')
  if (!production && apiBase && !webhookSecret)
    faults.push('STRIPE_WEBHOOK_SECRET must be set where STRIPE_API_BASE is')

  const keyModes = [secretKey, publishableKey].flatMap(key => key?.split('_')[1] ?? [])
  if (new Set(keyModes).size > 1)
    faults.push('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be live keys or both be test keys')

  const smtpUrl = optional(
    'SMTP_URL',
    z.string().refine(isSmtpUrl, 'must be an address like smtps://user:password@mail.example:465'),
  )
  const companyName = words('COMPANY_NAME')
  const mailFrom = read(
    'MAIL_FROM',
    filled.refine(isSender, 'must be one sender like Condo <no-reply@condo.example>'),
    production && smtpUrl ? undefined : `${companyName} <no-reply@condo.example>`,
  )
  if (production && env.RATE_LIMITS === 'off') faults.push('RATE_LIMITS can be off only outside production')

  const databaseFile = inProject(read('DATABASE_FILE', filled, 'db/portal.sqlite'))
  if (production && databaseFile === ':memory:')
    faults.push('DATABASE_FILE must be a file in production: memory is lost at every stop')

  const config = {
    mode: production ? ('production' as const) : ('demo' as const),
    host: read('HOST', filled, '127.0.0.1'),
    port: listenPort,
    origin,
    databaseFile,
    uploadsDir: inProject(read('UPLOADS_DIR', filled, 'uploads')),
    firstAdmin: adminEmail && adminPassword ? { email: adminEmail, password: adminPassword } : undefined,
    site: {
      companyName,
      propertyName: words('PROPERTY_NAME'),
      propertyAddress: words('PROPERTY_ADDRESS'),
      timeZone: words('PROPERTY_TIMEZONE', timeZone),
      ownerEmail: words('OWNER_EMAIL', email),
      ownerPhone: words('OWNER_PHONE'),
    },
    /** The embedded payment provider of the demo; never in production. */
    sandbox: !production && apiBase === undefined,
    stripe: { apiBase, secretKey, publishableKey, webhookSecret },
    cardFeeBasisPoints: Math.round(read('CARD_FEE_PERCENT', percent, defaultCardFeeBasisPoints / 100) * 100),
    /** The embedded mailbox of the demo; never in production. */
    mailbox: !production && smtpUrl === undefined,
    smtpUrl,
    mailFrom,
    trustProxy: optional('TRUST_PROXY', proxies) ?? [],
    rateLimits: read('RATE_LIMITS', onOff, true),
    demo: {
      seed: !production && read('DEMO_SEED', onOff, true),
      hosts: ['localhost', '127.0.0.1', '[::1]', ...(optional('DEMO_HOSTS', hostNames) ?? [])],
    },
    backups: {
      /** Daily, inside the process; the demo's data need none. */
      scheduled: read('BACKUPS', onOff, production),
      folder: inProject(read('BACKUP_DIR', filled, 'backups')),
      keep: read('BACKUP_KEEP', count, 14),
    },
    logLevel: read('LOG_LEVEL', logLevel, 'info'),
  }
  if (faults.length > 0) {
    throw new ConfigError(
      `The site was not started. Please set these in its environment:\n${faults.map(fault => `  - ${fault}`).join('\n')}`,
    )
  }
  return config
}

const list = (text: string) =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(Boolean)
const hostNames = z.string().transform(text => list(text.toLowerCase()))
const proxies = z
  .string()
  .transform(list)
  .refine(
    addresses => addresses.every(isProxy),
    'must list addresses or networks, such as 127.0.0.1, 10.0.0.0/8',
  )
const inProject = (path: string) => (path === ':memory:' || isAbsolute(path) ? path : join(projectRoot, path))

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const isHttpAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')
const isSmtpUrl = (text: string) => /^smtps?:$/.test(URL.parse(text)?.protocol ?? '')
const isOrigin = (text: string) =>
  isHttpAddress(text) && new URL(text).origin === text.replace(/\/$/, '') && !text.endsWith('/')
const isLoopback = (host: string) =>
  host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
const isSender = (text: string) =>
  z.email().safeParse(/^(?:"[^"\r\n]*"\s*|[^<>",;\r\n]*)<([^<>]*)>$/.exec(text)?.[1] ?? text).success

/** One address or a network of them; not everybody, who could then write any sender into the header. */
function isProxy(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const longest = isIPv4(address) ? 32 : isIPv6(address) ? 128 : 0
  if (longest === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest)
}

function isOriginAllowedInProduction(origin: string): boolean {
  const url = URL.parse(origin)
  return url?.protocol === 'https:' || (url !== null && isLoopback(url.hostname))
}

/** Where this process reaches itself: the demo's stand-ins live on its own port. */
export function ownAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  return `http://${['0.0.0.0', '::', 'localhost'].includes(host) ? '127.0.0.1' : host}:${port}`
}
