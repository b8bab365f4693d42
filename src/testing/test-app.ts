import { createHash, randomUUID } from 'node:crypto'
import { copyFileSync, cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import { openDatabase, type Tx } from '../../db/open.ts'
import { sessions, users } from '../../db/schema.ts'
import type { Actor, RequestOrigin, SignedIn } from '../domain/accounts/access.ts'
import { emailKey, type Role } from '../domain/accounts/account-rules.ts'
import type { OutgoingMail } from '../domain/content/outgoing-mail.ts'
import { findUser } from '../server/auth/sessions/users.ts'
import { createDeps, type DepsOverrides } from '../server/create-deps.ts'
import { buildApp } from '../server/http/app.ts'
import { type Environment, readConfig } from '../server/kernel/config.ts'
import type { Deps } from '../server/kernel/deps.ts'
import { writeOpening } from '../server/kernel/opening.ts'
import type { Passwords } from '../server/kernel/passwords.ts'
import { keyPathOf } from '../server/lib/installation-key.ts'
import { sha256 } from '../server/lib/sha256.ts'
import { createCaller } from '../server/root-router.ts'
import { createMarkdownParser, createRenderer } from '../server/workers/threads.ts'
import { afterThisTest } from './cleanups.ts'
import { testFolder } from './test-folder.ts'

export const testOrigin: RequestOrigin = { address: '203.0.113.7', userAgent: 'Test Browser 1.0' }
export const visitor: Actor = { role: 'guest', requestOrigin: testOrigin }
/** Noon on an ordinary weekday in the property's time zone. */
export const testNow = '2026-03-04T17:00:00.000Z'

/** Fast hashes instead of the real ones, which `src/server/kernel/passwords.test.ts` tests. */
export const quickHash = (password: string) => `quick ${sha256(password)}`
export const quickPasswords: Passwords = {
  hash: async password => quickHash(password),
  verify: async (hash, password) => hash === quickHash(password),
}

export type TestApp = Awaited<ReturnType<typeof testApp>>
/** One thread of each kind for all tests of a worker; it starts with the first job. */
const renderer = createRenderer()
const markdownParser = createMarkdownParser({ jobTimeoutMs: 20_000 })
/** A migrated, empty database to copy, because running the migrations takes longer than most tests. */
let template: string | undefined

/** Creates an empty, migrated database whose site is open to visitors. */
export function createOpenSite(file: string): void {
  const { close, db } = openDatabase(file)
  writeOpening(db, 'open')
  close()
}

/** Copies an empty, migrated database of an open site and its installation key. */
export function copyTemplate(file: string): void {
  if (!template) {
    template = join(mkdtempSync(join(tmpdir(), 'condo-template-')), 'portal.sqlite')
    createOpenSite(template)
    writeFileSync(keyPathOf(template), createHash('sha256').update(template).digest(), { mode: 0o600 })
  }
  copyFileSync(template, file)
  copyFileSync(keyPathOf(template), keyPathOf(file))
}

/**
 * The real app on a fresh database and uploads folder, with a clock that only the test moves, and a mail transport
 * that collects the mails. Cleans up after the test.
 */
export async function testApp(options: { env?: Environment; replace?: DepsOverrides } = {}) {
  const folder = testFolder()
  if (!options.env?.DATABASE_FILE) copyTemplate(join(folder, 'portal.sqlite'))
  let now = new Date(testNow)
  const sentMails: OutgoingMail[] = []
  const config = readConfig({
    DATABASE_FILE: join(folder, 'portal.sqlite'),
    UPLOADS_DIR: join(folder, 'uploads'),
    DEMO_SEED: 'off',
    LOG_LEVEL: 'silent',
    ...options.env,
  })
  const { deps, close } = await createDeps(config, {
    clock: { now: () => new Date(now) },
    log: pino({ level: 'silent' }),
    passwords: quickPasswords,
    renderer,
    markdownParser,
    mail: { send: async mail => void sentMails.push(mail) },
    ...options.replace,
  })
  // Most tests need no routes, and building these takes longer than everything else.
  let built: ReturnType<typeof buildApp> | undefined
  const fastify = () => {
    built ??= buildApp(deps)
    return built
  }
  afterThisTest(async () => {
    await (await built)?.close()
    close()
  })

  return {
    deps,
    fastify,
    /** Sends a request without the network. */
    http: { inject: async (request: string | InjectOptions) => (await fastify()).inject(request) },
    folder,
    sentMails,
    /** Calls procedures directly as this actor, with a proof of identity made at the time of each call (SAFE-16). */
    as: (actor: Actor) =>
      createCaller(() => ({ deps, actor: proven(deps, actor), sessionId: undefined, requestId: 'test' })),
    /** Listens on a free port and returns the address. */
    listen: async () => (await fastify()).listen({ host: '127.0.0.1', port: 0 }),
    setNow: (iso: string) => {
      now = new Date(iso)
    },
    advance: (ms: number) => {
      now = new Date(now.getTime() + ms)
    },
    makeUser: (overrides: Partial<typeof users.$inferInsert> = {}) => makeUser(deps, overrides),
    makeTenant: async (overrides: Partial<typeof users.$inferInsert> = {}) =>
      (await makeUser(deps, { ...overrides, role: 'tenant' })).actor,
    makeAdmin: async (overrides: Partial<typeof users.$inferInsert> = {}) =>
      (await makeUser(deps, { ...overrides, role: 'admin' })).actor,
  }
}

/** Prepares a site once, and returns a function that opens a copy of it for a test. */
export function preparedSite<T>(prepare: (app: TestApp) => Promise<T>) {
  let prepared: { folder: string; made: T } | undefined
  return async () => {
    if (!prepared) {
      const app = await testApp()
      const made = await prepare(app)
      prepared = { folder: mkdtempSync(join(tmpdir(), 'condo-prepared-')), made }
      cpSync(app.folder, prepared.folder, { recursive: true })
    }
    const folder = testFolder()
    cpSync(prepared.folder, folder, { recursive: true })
    const env = { DATABASE_FILE: join(folder, 'portal.sqlite'), UPLOADS_DIR: join(folder, 'uploads') }
    return { app: await testApp({ env }), ...prepared.made }
  }
}

/** Prefix of the ids of sessions that `proven` creates. */
export const provenPrefix = 'proven '

/** The actor with a session whose identity was proven just now, for tests that are not about proofs. */
export function proven<Who extends Actor>(deps: Deps, actor: Who): Who {
  if (actor.role === 'guest' || actor.sessionId !== undefined || !findUser(deps.db, actor.userId))
    return actor
  const at = deps.clock.now().toISOString()
  const id = provenPrefix + actor.userId
  const proofs = { lastUsedAt: at, factorAt: at, stepUpAt: at }
  ;(deps.db as unknown as Tx)
    .insert(sessions)
    .values({ id, publicId: id, userId: actor.userId, createdAt: at, ...proofs })
    .onConflictDoUpdate({ target: sessions.id, set: { ...proofs, endedAt: null } })
    .run()
  return { ...actor, sessionId: id }
}

async function makeUser(deps: Deps, overrides: Partial<typeof users.$inferInsert>) {
  const id = randomUUID()
  const role: Role = overrides.role ?? 'tenant'
  const email = overrides.email ?? `${role}-${id.slice(0, 8)}@guest.example`
  const at = deps.clock.now().toISOString()
  const row = {
    id,
    email,
    emailKey: emailKey(email),
    passwordHash: 'no password fits',
    firstName: 'Maya',
    lastName: 'Rivers',
    phone: '',
    mailboxProvenAt: at,
    createdAt: at,
    updatedAt: at,
    ...overrides,
    role,
  }
  await deps.write(tx => tx.insert(users).values(row).run())
  const actor: SignedIn = { role, userId: row.id, requestOrigin: testOrigin }
  return { user: row, actor }
}
