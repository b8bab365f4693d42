import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { desc, inArray } from 'drizzle-orm'
import { openDatabase } from '../../../db/open.ts'
import { projectRoot } from '../../../db/project-root.ts'
import {
  applications,
  availability,
  payments,
  propertySettings,
  rates,
  reviews,
  sessions,
  users,
} from '../../../db/schema.ts'
import { reviewsSection } from '../../domain/arrival/stay-settings.ts'
import { addDays } from '../../domain/common/dates.ts'
import { writeOpening } from '../../server/kernel/opening.ts'
import { createPasswords } from '../../server/kernel/passwords.ts'
import { newToken, sha256 } from '../../server/lib/sha256.ts'
import { createRandom } from '../../server/operations/demo/seed-runtime.ts'
import { productionEnv } from '../production-env.ts'
import { newTenant } from './scale-rows.ts'
import { seedScale } from './seed-scale.ts'
import { type RunningServer, serve } from './server-process.ts'

type SignedInUser = { email: string; token: string; applicationIds: string[] }
export type BenchSite = {
  folder: string
  databaseFile: string
  admin: SignedInUser
  tenants: SignedInUser[]
  /** 150 days in the far future, each with an availability row. */
  blocked: { startDate: string; endDate: string }
  /** Starts the built site in production mode. */
  start: (env?: Record<string, string>) => Promise<RunningServer>
  close: () => Promise<void>
}

const password = 'sand between toes'
const tenantCount = 500
const applicationCount = 5000
const blockedDays = 150
const reviewCount = 300

/** A site as after some years of use: at least 5,000 applications, 300 reviews, 12 rate periods, 500 signed-in tenants. */
export async function seedBenchSite(applicationRows = applicationCount): Promise<BenchSite> {
  const folder = await mkdtemp(join(tmpdir(), 'condo-bench-'))
  const databaseFile = join(folder, 'portal.sqlite')
  const now = new Date()
  const at = now.toISOString()
  const year = now.getUTCFullYear()
  const startDate = `${year + 3}-01-01`
  const passwordHash = await (await createPasswords()).hash(password)
  const database = openDatabase(databaseFile)
  const { db, sqlite } = database

  seedScale(database, { applications: applicationRows, now, timeZone: 'America/New_York', passwordHash })
  sqlite.exec('BEGIN')
  writeOpening(db, 'open')
  const moments = { createdAt: at, updatedAt: at }
  for (let month = 1; month <= 12; month++)
    db.insert(rates)
      .values({
        id: randomUUID(),
        period: `Month ${month} of ${year + 1}`,
        startDate: `${year + 1}-${String(month).padStart(2, '0')}-01`,
        endDate: `${year + 1}-${String(month).padStart(2, '0')}-28`,
        nightlyCents: 21_000,
        weekendNightCents: 24_000,
        weeklyCents: 130_000,
        monthlyCents: 380_000,
        minStay: 3,
        isActive: true,
        ...moments,
      })
      .run()
  for (let day = 0; day < blockedDays; day++)
    db.insert(availability)
      .values({ date: addDays(startDate, day), isAvailable: false, reason: 'Painting', updatedAt: at })
      .run()
  const adminId = randomUUID()
  db.insert(users)
    .values({
      id: adminId,
      email: 'owner@condo.example',
      emailKey: 'owner@condo.example',
      passwordHash,
      firstName: 'Olive',
      lastName: 'Shore',
      phone: '850-555-0142',
      role: 'admin',
      ...moments,
    })
    .run()
  const name = reviewsSection.name
  db.insert(propertySettings)
    .values({ section: name, body: { enabled: true }, version: 1, updatedAt: at, updatedBy: adminId })
    .run()
  const ids = db.select({ id: applications.id }).from(applications).limit(reviewCount).all()
  for (const { id: applicationId } of ids)
    db.insert(reviews)
      .values({
        applicationId,
        rating: 5,
        title: 'A quiet week by the sea',
        text: 'We came back from the beach every evening and sat on the balcony. '.repeat(6),
        name: 'first',
        state: 'published',
        version: 1,
        createdAt: at,
        publishedAt: at,
      })
      .run()
  const signIn = (userId: string, email: string, applicationIds: string[]): SignedInUser => {
    const token = newToken()
    db.insert(sessions)
      .values({
        id: sha256(token),
        publicId: sha256(email),
        userId,
        createdAt: at,
        lastUsedAt: at,
        factorAt: at,
        stepUpAt: at,
      })
      .run()
    return { email, token, applicationIds }
  }
  const admin = signIn(adminId, 'owner@condo.example', [])
  // The newest applications, two for each of the tenants that use the site at once.
  const newest = db
    .select({ id: applications.id })
    .from(applications)
    .orderBy(desc(applications.createdAt))
    .all()
  const random = createRandom(1)
  const tenants = Array.from({ length: tenantCount }, (_, i) => {
    const tenant = newTenant(random, at, passwordHash)
    db.insert(users).values(tenant).run()
    const own = newest.slice(i * 2, i * 2 + 2).map(({ id }) => id)
    for (const table of [applications, payments])
      db.update(table)
        .set({ userId: tenant.id })
        .where(inArray(table === payments ? payments.applicationId : applications.id, own))
        .run()
    return signIn(tenant.id, tenant.email, own)
  })
  sqlite.exec('COMMIT')
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  database.close()

  return {
    folder,
    databaseFile,
    admin,
    tenants,
    blocked: { startDate, endDate: addDays(startDate, blockedDays - 1) },
    start: env =>
      serve(join(projectRoot, 'dist/server/server.js'), {
        env: {
          ...productionEnv,
          DATABASE_FILE: databaseFile,
          UPLOADS_DIR: join(folder, 'uploads'),
          BACKUPS: 'off',
          TRUST_PROXY: '127.0.0.1',
          ...env,
        },
        firstPath: '/api/health',
        log: join(folder, 'site.log'),
      }),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A client address of its own for each request, to stay below the rate limits. */
export const fromAddress = (n: number) => ({
  'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
})

/** Proves the identity of a session, for the next ten minutes. @throws on a refusal */
export async function proveIdentity(url: string, { token }: SignedInUser): Promise<void> {
  const { status } = await fetch(`${url}/api/factor/step-up`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
  })
  if (status !== 200) throw new Error(`step-up: ${status}`)
}
