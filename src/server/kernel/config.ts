import { isIPv4, isIPv6 } from 'node:net'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { projectRoot } from '../../../db/project-root.ts'
import { adminPasswordError } from '../../domain/accounts/account-rules.ts'
import { defaultCardFeeBasisPoints } from '../../domain/common/money.ts'
import { isTimeZone } from '../../domain/content/install.ts'
import { isOwnFolder } from './upload-folder.ts'

export type Config = ReturnType<typeof toConfig>
export type Environment = Record<string, string | undefined>

/** The environment is invalid; the message lists every fault and what to set. */
export class ConfigError extends Error {}

const filled = z.string('must be set').trim()
const oneEmail = 'must be one email address, for example owner@example.com'
const email = filled.email(oneEmail)
const optionally = (isValid: (text: string) => boolean, fault: string) =>
  z.string().refine(isValid, fault).optional()
const hasProtocol = (protocol: RegExp) => (text: string) => protocol.test(URL.parse(text)?.protocol ?? '')
const isHttpAddress = hasProtocol(/^https?:$/)
const onOff = z.enum(['on', 'off'], 'must be on or off').transform(value => value === 'on')
const wholeNumber = z.coerce.number('must be a number').int('must be a whole number')
const percent = z.coerce.number('must be a number of percent')
const path = filled.transform(name =>
  name === ':memory:' || isAbsolute(name) ? name : join(projectRoot, name),
)
const list = z.string().transform(text =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(Boolean),
)
const clockUnitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const maxClockOffsetMs = 3660 * clockUnitMs.d
/** In milliseconds. */
const clockOffset = z
  .string()
  .transform(text => {
    const [, count = '', unit = 's'] = /^([+-]?\d{1,12})([smhd])?$/.exec(text.trim()) ?? []
    return count === '' ? Number.NaN : Number(count) * clockUnitMs[unit as keyof typeof clockUnitMs]
  })
  .refine(
    ms => Math.abs(ms) <= maxClockOffsetMs,
    'must be seconds, or like +3d, -2h or 90m, and at most ten years',
  )
  .optional()
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The schema of every setting, with its default. */
const settings = z.object({
  NODE_ENV: optionally(isMode, 'must be exactly "production", or left out for the demo'),
  HOST: filled.default('127.0.0.1'),
  PORT: wholeNumber.min(0).max(65535, 'must be a port, 0 to 65535').default(3000),
  /** A Unix socket to listen on instead of a port; whoever may open it is trusted as a proxy. */
  SOCKET: path.optional(),
  /** Nobody gets in until SIGUSR2: an upgrade looks at the new version first. */
  HELD: onOff.default(false),
  ORIGIN: optionally(isOrigin, 'must be an address like https://condo.example, without a path'),
  TRUST_PROXY: list
    .refine(
      proxies => proxies.every(isProxy),
      'must list addresses or networks, such as 127.0.0.1, 10.0.0.0/8',
    )
    .default([]),
  RATE_LIMITS: onOff.default(true),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),

  /** Where the watch of the server writes what it found. */
  MACHINE_FILE: path.optional(),
  DATABASE_FILE: path.default(join(projectRoot, 'db/portal.sqlite')),
  UPLOADS_DIR: path.default(join(projectRoot, 'uploads')),
  BACKUPS: onOff.default(true),
  BACKUP_DIR: path.default(join(projectRoot, 'backups')),
  BACKUP_KEEP: wholeNumber.min(1, 'must be 1 or more').default(14),

  COMPANY_NAME: filled,
  PROPERTY_NAME: filled,
  PROPERTY_ADDRESS: filled,
  PROPERTY_TIMEZONE: filled.refine(isTimeZone, 'must be a time zone such as America/New_York'),
  OWNER_EMAIL: filled.refine(text => text === '' || z.email().safeParse(text).success, oneEmail),
  OWNER_PHONE: filled,
  ADMIN_EMAIL: email.optional(),
  ADMIN_PASSWORD: z.string().optional(),

  STRIPE_API_BASE: optionally(isHttpAddress, 'must be an http or https address'),
  STRIPE_SECRET_KEY: optionally(key => /^(sk|rk)_/.test(key), 'must begin with sk_ or rk_'),
  STRIPE_PUBLISHABLE_KEY: optionally(key => key.startsWith('pk_'), 'must begin with pk_'),
  STRIPE_WEBHOOK_SECRET: optionally(key => key.startsWith('whsec_'), 'must begin with whsec_'),
  CARD_FEE_PERCENT: percent
    .min(0, 'must be 0 or more')
    .max(10, 'must be 10 or less')
    .default(defaultCardFeeBasisPoints / 100),

  SMTP_URL: optionally(
    hasProtocol(/^smtps?:$/),
    'must be an address like smtps://user:password@mail.example:465',
  ),
  MAIL_FROM: filled.transform(parseSender).optional(),

  CLOCK_OFFSET: clockOffset,
  FETCH_ALLOW: list
    .refine(
      origins => origins.every(isOrigin),
      'must list addresses like http://127.0.0.1:4400, without a path',
    )
    .default([]),
  /** In production between five minutes and six hours: see `crossFieldErrors`. */
  CALENDAR_POLL_SECONDS: wholeNumber.min(0, 'must be 0 or more').default(1800),
  DEMO_SEED: onOff.default(true),
  DEMO_HOSTS: list.default([]),
})
type Settings = z.infer<typeof settings>
/** The names of all settings of the environment. */
export const settingNames: readonly string[] = Object.keys(settings.shape)

const demoDefaults = {
  COMPANY_NAME: 'Seaglass Shore Rentals',
  PROPERTY_NAME: 'Seaglass Shore Condo',
  PROPERTY_ADDRESS: '120 Ocean Walk, Unit 2B, Seabright Beach, FL 32000',
  PROPERTY_TIMEZONE: 'America/New_York',
  OWNER_EMAIL: 'owner@condo.example',
  OWNER_PHONE: '850-555-0142',
  BACKUPS: 'off',
}

/** What the owner answers at /install, where the environment says nothing about who owns the site (INST-14). */
const unanswered = {
  COMPANY_NAME: '',
  PROPERTY_NAME: '',
  PROPERTY_ADDRESS: '',
  OWNER_EMAIL: '',
  OWNER_PHONE: '',
}
const ownerFacts = [...Object.keys(unanswered), 'ADMIN_EMAIL', 'ADMIN_PASSWORD']

/** Rules between settings: each message, and whether its rule is broken. */
function crossFieldErrors(s: Partial<Settings>, isProduction: boolean): [fault: string, isBroken: unknown][] {
  const weakness = s.ADMIN_PASSWORD && adminPasswordError(s.ADMIN_PASSWORD)
  const keyModes = [s.STRIPE_SECRET_KEY, s.STRIPE_PUBLISHABLE_KEY].flatMap(key => key?.split('_')[1] ?? [])
  const common = {
    'ADMIN_EMAIL and ADMIN_PASSWORD must be set together, or neither': !s.ADMIN_EMAIL !== !s.ADMIN_PASSWORD,
    'BACKUP_DIR must not be UPLOADS_DIR, or its orphans or incoming':
      s.BACKUPS && s.BACKUP_DIR && s.UPLOADS_DIR && isOwnFolder(s.UPLOADS_DIR, s.BACKUP_DIR),
    'HELD needs SOCKET': s.HELD && !s.SOCKET,
    [`ADMIN_PASSWORD is too weak: ${weakness}`]: s.ADMIN_EMAIL && weakness,
    'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be live keys or both be test keys':
      new Set(keyModes).size > 1,
  }
  const demo = {
    'STRIPE_SECRET_KEY is a live key: set NODE_ENV=production to take real payments':
      s.STRIPE_SECRET_KEY?.includes('_live_'),
    'STRIPE_WEBHOOK_SECRET must be set where STRIPE_API_BASE is':
      s.STRIPE_API_BASE && !s.STRIPE_WEBHOOK_SECRET,
  }
  const production = {
    'ORIGIN must be set to the public https address of the site': !s.ORIGIN,
    'ORIGIN must be an https address (http only for localhost)': s.ORIGIN && !isSecureOrigin(s.ORIGIN),
    'STRIPE_API_BASE must be a loopback address in production; leave it out to use Stripe':
      s.STRIPE_API_BASE && !isLoopback(new URL(s.STRIPE_API_BASE).hostname),
    'STRIPE_WEBHOOK_SECRET must be set where STRIPE_SECRET_KEY is':
      s.STRIPE_SECRET_KEY && !s.STRIPE_WEBHOOK_SECRET,
    'STRIPE_SECRET_KEY must be set where the other STRIPE_ keys are':
      !s.STRIPE_SECRET_KEY && (s.STRIPE_WEBHOOK_SECRET || s.STRIPE_PUBLISHABLE_KEY),
    'MAIL_FROM must be set': s.SMTP_URL && !s.MAIL_FROM,
    'RATE_LIMITS can be off only outside production': s.RATE_LIMITS === false,
    'CLOCK_OFFSET can be set only outside production: leave it out': s.CLOCK_OFFSET !== undefined,
    'FETCH_ALLOW can be set only outside production: leave it out': s.FETCH_ALLOW?.length,
    'CALENDAR_POLL_SECONDS must be 300 to 21600':
      s.CALENDAR_POLL_SECONDS !== undefined && !isPollPause(s.CALENDAR_POLL_SECONDS),
    'DATABASE_FILE must be a file in production: memory is lost at every stop':
      s.DATABASE_FILE === ':memory:',
  }
  return Object.entries<unknown>({ ...common, ...(isProduction ? production : demo) })
}

/**
 * Reads the environment once. Blank values count as missing. In production without a word about the owner, what they
 * answer in the browser is empty, and `install` is the refusal for a site that was not installed there.
 * @throws ConfigError listing every invalid or missing value
 */
export function readConfig(environment: Environment): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()))
  if (set.NODE_ENV !== 'production' || ownerFacts.some(name => name in set)) return parse(set)
  const { PORT = '3000', PROPERTY_TIMEZONE: timeZone } = set
  const config = parse({
    ORIGIN: `http://localhost:${PORT}`,
    PROPERTY_TIMEZONE: demoDefaults.PROPERTY_TIMEZONE,
    ...unanswered,
    ...set,
  })
  try {
    return parse(set)
  } catch (refusal) {
    return { ...config, install: { refusal: refusal as ConfigError, timeZone } }
  }
}

/** @throws ConfigError */
function parse(set: Environment): Config {
  const isProduction = set.NODE_ENV === 'production'
  const env: Environment = isProduction ? { ...set, DEMO_SEED: 'off' } : { ...demoDefaults, ...set }
  const { data, error } = settings.safeParse(env)
  const wrong: Environment = {}
  for (const { path, message } of error?.issues ?? []) wrong[String(path[0])] ??= message
  // An invalid value has its own fault already, so the rules between settings treat it as missing.
  const sound = Object.fromEntries(Object.entries(env).filter(([name]) => !(name in wrong)))
  const crossField = crossFieldErrors(settings.partial().parse(sound), isProduction).filter(
    ([fault, isBroken]) => isBroken && !((fault.split(' ')[0] ?? '') in wrong),
  )
  const faults = [
    ...Object.entries(wrong).map(words => words.join(' ')),
    ...crossField.map(([fault]) => fault),
    ...(set.SOCKET && set.PORT ? ['SOCKET and PORT exclude each other: set one of them'] : []),
  ]
  if (!data || faults.length > 0)
    throw new ConfigError(
      `The site was not started. Please set these in its environment:\n${faults.map(fault => `  - ${fault}`).join('\n')}`,
    )
  return toConfig(data)
}

function toConfig(s: Settings) {
  const isDemo = s.NODE_ENV !== 'production'
  return {
    mode: isDemo ? ('demo' as const) : ('production' as const),
    host: s.HOST,
    port: s.PORT,
    socket: s.SOCKET,
    held: s.HELD,
    machineFile: s.MACHINE_FILE,
    origin: s.ORIGIN ?? `http://localhost:${s.PORT}`,
    databaseFile: s.DATABASE_FILE,
    uploadsDir: s.UPLOADS_DIR,
    firstAdmin:
      s.ADMIN_EMAIL && s.ADMIN_PASSWORD ? { email: s.ADMIN_EMAIL, password: s.ADMIN_PASSWORD } : undefined,
    site: {
      companyName: s.COMPANY_NAME,
      propertyName: s.PROPERTY_NAME,
      propertyAddress: s.PROPERTY_ADDRESS,
      timeZone: s.PROPERTY_TIMEZONE,
      ownerEmail: s.OWNER_EMAIL,
      ownerPhone: s.OWNER_PHONE,
    },
    /** The embedded payment provider of the demo; never in production. */
    sandbox: isDemo && s.STRIPE_API_BASE === undefined,
    stripe: {
      apiBase: s.STRIPE_API_BASE,
      secretKey: s.STRIPE_SECRET_KEY,
      publishableKey: s.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: s.STRIPE_WEBHOOK_SECRET,
    },
    cardFeeBasisPoints: Math.round(s.CARD_FEE_PERCENT * 100),
    /** The embedded mailbox of the demo; never in production. */
    mailbox: isDemo && s.SMTP_URL === undefined,
    smtpUrl: s.SMTP_URL,
    mailFrom: s.MAIL_FROM ?? { name: s.COMPANY_NAME, address: 'no-reply@condo.example' },
    /** Added to every reading of the clock; never in production. */
    clockOffsetMs: s.CLOCK_OFFSET ?? 0,
    /** Local or http origins that may be fetched, such as the demo's own calendar; never in production. */
    fetchAllow:
      isDemo && s.DEMO_SEED ? [...s.FETCH_ALLOW, selfOrigin({ host: s.HOST, port: s.PORT })] : s.FETCH_ALLOW,
    /** How often calendars are read, in seconds; 0 means only on request. */
    calendarPollSeconds: s.CALENDAR_POLL_SECONDS,
    trustProxy: s.TRUST_PROXY,
    rateLimits: s.RATE_LIMITS,
    demo: {
      seed: s.DEMO_SEED,
      hosts: ['localhost', '127.0.0.1', '[::1]', ...s.DEMO_HOSTS.map(host => host.toLowerCase())],
    },
    /** Daily backups, made by this process; off by default in the demo. */
    backups: { scheduled: s.BACKUPS, folder: s.BACKUP_DIR, keep: s.BACKUP_KEEP },
    logLevel: s.LOG_LEVEL,
    /** Set where the owner answers in the browser who they are: the environment says it nowhere. */
    install: undefined as { refusal: ConfigError; timeZone: string | undefined } | undefined,
  }
}

const isPollPause = (seconds: number) => 300 <= seconds && seconds <= 21_600

function isMode(text: string): boolean {
  return text === 'production' || !/^prod/i.test(text.trim())
}

function isOrigin(text: string): boolean {
  return isHttpAddress(text) && new URL(text).origin === text
}

function isSecureOrigin(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' || isLoopback(hostname)
}

/** Whether this host name refers to this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
}

function parseSender(text: string, context: z.core.$RefinementCtx): { name: string; address: string } {
  const parts = /^(?:"([^"\r\n]*)"\s*|([^<>",;\r\n]*))<([^<>]*)>$/.exec(text)
  const [, quoted, name = '', address = text] = parts ?? []
  if (z.email().safeParse(address).success) return { name: (quoted ?? name).trim(), address }
  context.addIssue('must be one sender like Condo <no-reply@condo.example>')
  return z.NEVER
}

/** An address or a network, but not all addresses: then any client could forge its address in the header. */
function isProxy(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const longest = isIPv4(address) ? 32 : isIPv6(address) ? 128 : 0
  if (longest === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest)
}

/** Where this process reaches itself: the demo's sandbox runs on the same port. */
export function selfOrigin({ host, port }: { host: string; port: number }): string {
  return `http://${['0.0.0.0', '::', 'localhost'].includes(host) ? '127.0.0.1' : host}:${port}`
}
