import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { and, eq, isNull } from 'drizzle-orm'
import { applications, events, files, leases, outbox } from '../../db/schema.ts'
import type { SignedIn } from '../domain/accounts/access.ts'
import type { ApplicationFormValues } from '../domain/bookings/application-form.ts'
import { chargeKindLabels } from '../domain/money/charge.ts'
import { beginSession } from '../server/auth/sessions/sessions.ts'
import { sha256 } from '../server/lib/sha256.ts'
import { dates, makeBooking } from './build-application.ts'
import { signatureDataUrl } from './png.ts'
import { type TestApp, testNow } from './test-app.ts'

/** June 1 to July 1, 2026, at $2500 with a deposit of $500. */
export const leaseTerms = {
  leaseStartDate: '2026-06-01',
  leaseEndDate: '2026-07-01',
  rentalAmount: 2500,
  depositAmount: 500,
}

/** Makes a booking with a generated, unsigned lease, its tenant, and an admin. */
export async function makeLease(app: TestApp, overrides: Partial<ApplicationFormValues> = {}) {
  const tenant = await app.makeTenant()
  const admin = await app.makeAdmin()
  const booking = await makeBooking(app, tenant, admin, {
    ...dates('2026-06-01', '2026-07-01'),
    ...overrides,
  })
  const { leaseAgreement, leaseTextSha256 } = await app.as(admin).leases.generate({
    applicationId: booking.id,
    ...leaseTerms,
    leaseStartDate: booking.requestedStartDate,
    leaseEndDate: booking.requestedEndDate,
  })
  return { tenant, admin, id: booking.id, leaseText: leaseAgreement, leaseTextSha256 }
}

/** A typed signature as the modal sends it. */
export const typedSignature = (id: string, leaseTextSha256?: string) => ({
  id,
  leaseTextSha256,
  typedName: 'Maya Rivers',
  typedName2: '',
  signatureImageBase64: signatureDataUrl(),
  signatureImageBase64_2: '',
  consent: true,
})

export const signLease = (app: TestApp, tenant: SignedIn, id: string) =>
  app.as(tenant).leases.sign(typedSignature(id))

/** The stored rows of the application, its lease and its signed file. */
export function storedLease(app: Pick<TestApp, 'deps'>, id: string) {
  const { db } = app.deps
  const row = db.select().from(applications).where(eq(applications.id, id)).get()
  const inForce = and(eq(leases.applicationId, id), isNull(leases.voidedAt))
  const lease = db.select().from(leases).where(inForce).get()
  const file = lease?.fileId ? db.select().from(files).where(eq(files.id, lease.fileId)).get() : undefined
  if (!row) throw new Error(`no application ${id}`)
  return { row, lease, file }
}

/** A lease row to insert directly: June 1 to July 1, 2026, $2500 with a deposit of $500. */
export function buildLease(applicationId: string, overrides: Partial<typeof leases.$inferInsert> = {}) {
  const text = overrides.text ?? 'the lease'
  const [generatedAt = ''] = [overrides.signedAt ?? testNow, testNow].sort()
  return {
    id: randomUUID(),
    applicationId,
    kind: 'lease' as const,
    number: 1,
    startDate: '2026-06-01',
    endDate: '2026-07-01',
    rentCents: 2500_00,
    depositCents: 500_00,
    text,
    textSha256: sha256(text),
    generatedAt,
    ...overrides,
  }
}

/** The rent and deposit charges for a lease that was inserted directly. */
export function buildLeaseCharges(applicationId: string, rentCents: number, depositCents: number) {
  const of = (kind: 'rent' | 'deposit', amountCents: number) => {
    const name = chargeKindLabels[kind]
    const createdAt = '2026-03-04T17:00:00.000Z'
    return {
      id: randomUUID(),
      applicationId,
      kind,
      name,
      label: name,
      amountCents,
      source: 'lease' as const,
      createdAt,
    }
  }
  return [of('rent', rentCents), of('deposit', depositCents)]
}

/** Inserts a signed lease directly, without a signed file. */
export const storeSignedLease = ({ deps }: TestApp, applicationId: string, signedAt: string) =>
  deps.write(tx => tx.insert(leases).values(buildLease(applicationId, { signedAt })).run())

/** A scanned PDF of exactly this size. */
export function scanPdf(sizeBytes = 2000): Buffer {
  const pdf = Buffer.alloc(sizeBytes, '%\n')
  pdf.write('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n', 'latin1')
  pdf.write('\n%%EOF\n', sizeBytes - 7, 'latin1')
  return pdf
}

/** A bearer token for this user, as a login returns it. */
export const tokenOf = (app: TestApp, { requestOrigin, role, userId }: SignedIn) =>
  app.deps.write(tx =>
    beginSession(app.deps, tx, { role: 'guest', requestOrigin }, { id: userId, role }, 'password'),
  )

/** Everything that a rejected request must not change: applications, leases, files, mails and events. */
export function snapshotState(app: TestApp) {
  const { db, config } = app.deps
  const stored = readdirSync(config.uploadsDir, { recursive: true, encoding: 'utf8' })
  return {
    applications: db.select().from(applications).all(),
    leases: db.select().from(leases).all(),
    files: db.select().from(files).all(),
    outbox: db.select().from(outbox).all(),
    events: db.select().from(events).all(),
    stored: stored.filter(name => name !== 'store-id').toSorted(),
  }
}
