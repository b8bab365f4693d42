import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect } from 'vitest'
import { scheduledKinds } from '../../server/mail/compose.ts'
import { adminPassword, tenantPassword } from '../build-account.ts'
import { scanPdf } from '../build-lease.ts'
import { signatureDataUrl } from '../png.ts'
import { productionEnv } from '../production-env.ts'
import { startProvider } from '../provider.ts'
import { freePort, startSite } from '../site-process.ts'
import { startSmtp } from '../smtp.ts'
import { createOpenSite } from '../test-app.ts'

export const adminEmail = 'keeper@condo.example'
export const webhookSecret = 'whsec_of_the_wire'

/** A JSON response; each test knows the shape it expects. */
// biome-ignore lint/suspicious/noExplicitAny: each test states the shape it expects
type Json = any
export type PortalResponse = { status: number; headers: Headers; text: string; body: Json }
type Call = { token?: string | undefined; body?: unknown; headers?: Record<string, string>; raw?: BodyInit }
export type Account = { token: string; id: string; email: string }
export type Portal = Awaited<ReturnType<typeof openPortal>>

/**
 * Retries when the server rejects the request and closes the connection while the body is still being sent, because the
 * client may then be unable to read the response.
 */
async function askAgain(address: string, init: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      return await fetch(address, init)
    } catch (error) {
      const code = error instanceof TypeError && (error.cause as { code?: string } | undefined)?.code
      const isCutOff = code === 'EPIPE' || code === 'ECONNRESET'
      if (!isCutOff || init.body === undefined || init.body instanceof ReadableStream || tries === 5)
        throw error
    }
  }
}

/**
 * Starts the production build in a separate process, with the sandbox provider and a mail server. Behind a proxy (the
 * default) each call comes from a different address, so that a test's many calls do not reach the rate limits.
 */
export async function openPortal({
  env = {},
  proxied = true,
  folder = mkdtempSync(join(tmpdir(), 'condo-wire-')),
}: {
  env?: Record<string, string>
  proxied?: boolean
  folder?: string
} = {}) {
  const port = await freePort()
  const smtp = await startSmtp(await freePort())
  const url = `http://localhost:${port}`
  const providerServer = await startProvider({
    now: () => new Date(),
    webhookUrl: () => `${url}/api/payment/webhook`,
    webhookSecret,
  })
  const database = join(folder, 'portal.sqlite')
  if (!existsSync(database)) createOpenSite(database)
  const site = await startSite(folder, {
    ...(productionEnv as Record<string, string>),
    PORT: String(port),
    ORIGIN: url,
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: adminPassword,
    STRIPE_SECRET_KEY: 'sk_test_of_the_wire',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: providerServer.url,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Condo <no-reply@condo.example>',
    ...(proxied && { TRUST_PROXY: '127.0.0.1' }),
    ...env,
  })
  let calls = 0
  const ownAddress = () => ({
    'x-forwarded-for': `198.51.${100 + Math.floor(calls / 250)}.${1 + (calls++ % 250)}`,
  })

  async function call(
    method: string,
    path: string,
    { token, body, headers, raw }: Call = {},
  ): Promise<PortalResponse> {
    const response = await askAgain(`${url}${path}`, {
      method,
      headers: {
        ...(proxied && ownAddress()),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      redirect: 'manual',
      ...(raw === undefined ? {} : { body: raw, duplex: 'half' }),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    }
  }
  const mutate = (procedure: string, options: Call) =>
    call('POST', `/trpc/${procedure}`, { body: {}, ...options })
  const query = (procedure: string, { body, ...options }: Call = {}) =>
    call(
      'GET',
      `/trpc/${procedure}${body ? `?input=${encodeURIComponent(JSON.stringify(body))}` : ''}`,
      options,
    )
  const expectOk = async (asked: Promise<PortalResponse>): Promise<Json> => {
    const response = await asked
    if (response.status >= 300) throw new Error(`${response.status} ${response.text}`)
    return response.body
  }

  async function logIn(email: string, password: string): Promise<Account> {
    const { token, user } = await expectOk(call('POST', '/api/auth/login', { body: { email, password } }))
    return { token, id: user.id, email }
  }
  const portal = {
    url,
    port,
    folder,
    providerServer,
    smtp,
    site,
    call,
    mutate,
    query,
    /** The response body; an error response fails the test. */
    expectOk,
    logIn,
    async tenant(overrides: Record<string, string> = {}): Promise<Account> {
      const form = {
        firstName: 'Maya',
        lastName: 'Rivers',
        email: `maya-${randomUUID().slice(0, 8)}@guest.example`,
        password: tenantPassword,
        ...overrides,
      }
      const { token, user } = await expectOk(call('POST', '/api/auth/register', { body: form }))
      return { token, id: user.id, email: form.email }
    },
    admin: () => logIn(adminEmail, adminPassword),
    database: <T>(work: (db: SqliteDatabase.Database) => T): T => {
      const db = new SqliteDatabase(join(folder, 'portal.sqlite'), { timeout: 2000 })
      try {
        return work(db)
      } finally {
        db.close()
      }
    },
    /** The link in a mail to this address. */
    async mailedLink(to: string): Promise<URL> {
      const mail = await waitFor(() =>
        smtp.received.find(
          ({ envelope, parsed }) => envelope.to.includes(to) && /token=/.test(parsed.text ?? ''),
        ),
      )
      return new URL(/https?:\/\/\S+token=[\w-]+/.exec(mail.parsed.text ?? '')?.[0] ?? '')
    },
    /** The state that a rejected request must not change. Mails may be sent in the meantime. */
    snapshotState() {
      const files = readdirSync(join(folder, 'uploads'), { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name))
      return {
        tables: portal.database(tables),
        files: files.map(path => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
        provider: providerServer.provider.truth(),
      }
    },
    /** Expects that the request is rejected with this status and changes nothing. */
    async expectRejected(
      status: number | number[],
      ask: () => Promise<PortalResponse>,
    ): Promise<PortalResponse> {
      const before = portal.snapshotState()
      const response = await ask()
      expect([status].flat(), `${response.status} ${response.text.slice(0, 300)}`).toContain(response.status)
      expect(portal.snapshotState()).toEqual(before)
      return response
    },
    async close() {
      await site.stop()
      await Promise.all([providerServer.close(), smtp.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return portal
}

/** A month-long stay next year that no other test's application uses. */
let months = 0
export function freshStay() {
  const start = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 1 + months++, 1))
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
  const [requestedStartDate, requestedEndDate] = [start, end].map(day => day.toISOString().slice(0, 10))
  return { requestedStartDate: String(requestedStartDate), requestedEndDate: String(requestedEndDate) }
}

export function applicationForm(overrides: Record<string, unknown> = {}) {
  return {
    firstName: 'Maya',
    lastName: 'Rivers',
    secondApplicantFirstName: '',
    secondApplicantLastName: '',
    phone: '850-555-0142',
    address: { street: '12 Pine Street', city: 'Mobile', state: 'AL', zipCode: '36602' },
    additionalGuests: [],
    ...freshStay(),
    ...overrides,
  }
}

/** A submitted application; if an admin is given, also approved, with a lease of 500 and 2500 dollars. */
export async function apply(
  portal: Portal,
  tenant: Account,
  admin?: Account,
  overrides: Record<string, unknown> = {},
) {
  const { call, expectOk } = portal
  const body = applicationForm(overrides)
  const { application } = await expectOk(call('POST', '/api/application', { token: tenant.token, body }))
  const id: string = application.id
  await expectOk(call('POST', `/api/application/${id}/submit`, { token: tenant.token }))
  if (!admin) return { id, leaseTextSha256: '' }
  const { token } = admin
  await expectOk(call('PUT', `/api/application/admin/${id}/status`, { token, body: { status: 'approved' } }))
  const terms = { rentalAmount: 2500, depositAmount: 500 }
  const lease = await expectOk(call('POST', `/api/lease/generate/${id}`, { token, body: terms }))
  return { id, leaseTextSha256: String(lease.leaseTextSha256) }
}

export const checkout = (overrides: Record<string, unknown> = {}) => ({
  amount: 500_00,
  creditCardFee: 15_00,
  totalAmount: 515_00,
  paymentType: 'deposit',
  description: '',
  ...overrides,
})

export const signature = (overrides: Record<string, unknown> = {}) => ({
  typedName: 'Maya Rivers',
  typedName2: '',
  signatureImageBase64: signatureDataUrl(),
  signatureImageBase64_2: '',
  consent: true,
  ...overrides,
})

/** A form with a scan, in the format that a browser sends. */
export function scan(
  applicationId: string,
  { field = 'signedLease', name = 'lease.pdf', content = scanPdf() } = {},
) {
  const form = new FormData()
  form.set('applicationId', applicationId)
  form.set(field, new File([new Uint8Array(content)], name, { type: 'application/pdf' }))
  return form
}

/** Polls until `look` returns a value. */
export async function waitFor<T>(look: () => T | undefined, timeoutMs = 15_000): Promise<T> {
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += 50) {
    const found = look()
    if (found !== undefined) return found
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`no result within ${timeoutMs} ms`)
}

/** Every row, except what the minute and the mail worker change regardless of requests: scheduled mails and tokens. */
function tables(db: SqliteDatabase.Database) {
  const names = db.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[]
  const scheduled = scheduledKinds.map(kind => `'${kind}'`).join()
  const reads: Record<string, string> = {
    outbox: `select id, kind, to_address from outbox where kind not in (${scheduled})`,
    sessions: 'select id, user_id, created_at from sessions',
    access_links: 'select id, kind, subject_id, person_id, revoked_at from access_links',
  }
  return Object.fromEntries(
    names
      .filter(name => !['mailed_notices', 'link_tokens'].includes(name))
      .map(name => [
        name,
        JSON.stringify(
          db
            .prepare(reads[name] ?? `select * from "${name}"`)
            .raw()
            .all(),
        ),
      ]),
  )
}
