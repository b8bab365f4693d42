import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { addDays } from '../../domain/common/dates.ts'
import {
  maxSignatureBytes,
  maxSignatureHeight,
  maxSignatureWidth,
} from '../../domain/leases/lease-signing.ts'
import { scanPdf } from '../build-lease.ts'
import { chunk } from '../png.ts'
import { freePort } from '../site-process.ts'
import { startSmtp } from '../smtp.ts'
import { type BenchSite, proveIdentity, seedBenchSite } from './bench-site.ts'
import { columns, type Heavy, type Measured, measure, rowOf } from './measure.ts'
import type { RunningServer } from './server-process.ts'
import { printTable } from './table.ts'

const applicationCount = 10_000
const leaseCount = 24
const shown = 10

type Ask = { token?: string | undefined; body?: unknown; raw?: BodyInit; expect?: number[] }

/**
 * Sends all heavy requests, as visitor, tenant and administrator, to a site with 10,000 applications, while a separate
 * process polls the site's health. Prints the ten requests that take the most processor time, each with the slowest
 * health response and the site's main thread time in it; other load on the machine causes the rest of the delay.
 */
export async function measureHeaviestRequests(): Promise<void> {
  const benchSite = await seedBenchSite(applicationCount)
  const smtp = await startSmtp(await freePort())
  const site = await benchSite.start({ SMTP_URL: smtp.url, MAIL_FROM: 'Condo <no-reply@condo.example>' })
  const script = fileURLToPath(new URL('health-poller.ts', import.meta.url))
  const poller = fork(script, [`${site.url}/api/health`, String(site.pid)])
  try {
    const measured: Measured[] = []
    for (const heavy of await heavyRequests(benchSite, site))
      measured.push(await measure(heavy, site, poller))
    const nothing = await measure({ name: 'nothing', run: () => sleep(1000) }, site, poller)
    measured.sort((a, b) => b.cpuMs - a.cpuMs)
    printTable([
      [`with ${applicationCount} applications`, ...columns],
      ...[...measured.slice(0, shown), nothing].map(rowOf),
    ])
    const next = measured.slice(shown).toSorted((a, b) => b.worst.mainThreadMs - a.worst.mainThreadMs)[0]
    if (next)
      console.log(
        `most work of the main thread during the other ${measured.length - shown} requests: ${next.worst.mainThreadMs.toFixed(0)} ms, ${next.name}`,
      )
  } finally {
    poller.disconnect()
    await site.stop()
    await smtp.close()
    await benchSite.close()
  }
}

/** Uses a new client address for each request, to stay below the rate limits. @throws on an unexpected status */
function createAsk(url: string) {
  let count = 0
  return async (
    method: string,
    path: string,
    { token, body, raw, expect = [200, 201] }: Ask = {},
  ): Promise<Buffer> => {
    count++
    const response = await fetch(url + path, {
      method,
      headers: {
        'x-forwarded-for': `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(raw !== undefined && { body: raw }),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (!expect.includes(response.status))
      throw new Error(`${method} ${path.slice(0, 100)}: ${response.status} ${bytes.toString().slice(0, 300)}`)
    return bytes
  }
}

async function heavyRequests(benchSite: BenchSite, { url }: RunningServer): Promise<Heavy[]> {
  const ask = createAsk(url)
  const json = async (...request: Parameters<typeof ask>) => JSON.parse((await ask(...request)).toString())
  const { blocked } = benchSite
  const admin = benchSite.admin.token
  const leases = await makeLeases(benchSite, json)
  let leasesTaken = 0
  const takeLease = () => leases[leasesTaken++ % leases.length] as Lease
  const [lease] = leases as [Lease]
  const removeSigned = (id: string) => ask('DELETE', `/api/lease/remove-signed/${id}`, { token: admin })

  const idsOfPage = async (page: number): Promise<string[]> => {
    const path = `/api/application/admin/all?page=${page}&limit=200`
    const { applications } = await json('GET', path, { token: admin })
    return applications.map(({ id }: { id: string }) => id)
  }
  const pages = await Promise.all(Array.from({ length: 10 }, (_, i) => idsOfPage(30 + i)))
  const payers: { token: string; paymentId: string }[] = []
  for (const { token } of benchSite.tenants.slice(0, 40)) {
    const { payments } = await json('GET', '/api/payment/history', { token })
    const received = payments.find(
      (one: { paidAt: string | null; amount: number }) => one.paidAt && one.amount > 0,
    )
    if (received) payers.push({ token, paymentId: received.id })
  }

  const ten = <T>(inputOf: (i: number) => T) =>
    Object.fromEntries(Array.from({ length: 10 }, (_, i) => [i, inputOf(i)]))
  const queries = (procedure: string, input: unknown) => () => {
    const inputs = encodeURIComponent(JSON.stringify(ten(() => input)))
    const path = `/trpc/${Array(10).fill(procedure).join(',')}?batch=1&input=${inputs}`
    return ask('GET', path, { token: admin })
  }
  const mutations = (procedure: string, inputOf: (i: number) => unknown, options: Ask = {}) =>
    ask('POST', `/trpc/${Array(10).fill(procedure).join(',')}?batch=1`, {
      token: admin,
      body: ten(inputOf),
      expect: [200, 207],
      ...options,
    })
  const concurrently = (count: number, one: (i: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: count }, (_, i) => one(i)))

  const picture = `data:image/png;base64,${noisyPng().toString('base64')}`
  const signature = ({ leaseTextSha256 }: Lease) => ({
    mode: 'draw',
    signatureImageBase64: picture,
    signatureImageBase64_2: picture,
    consent: true,
    leaseTextSha256,
  })
  const scanOf = ({ id }: Lease) => {
    const form = new FormData()
    form.set('applicationId', id)
    form.set('signedLease', new File([new Uint8Array(scanPdf(10_485_760))], 'lease.pdf'))
    return form
  }
  const login = (i: number) => ({ email: `${i}@guest.example`, password: 'a wrong one' })
  const search = { page: 1, limit: 200, sort: 'firstName' }
  const site = createSiteWords(benchSite, ask, json)
  await site.publishVersions(200)
  await proveIdentity(url, benchSite.admin)
  const calendar = { startDate: addDays(blocked.startDate, -500), endDate: addDays(blocked.startDate, 299) }
  const farDates = Array.from({ length: 366 }, (_, i) => addDays(blocked.startDate, 4000 + i))
  const nested = `{"id":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`
  const manyValues = `{"id":"x","typedName":[${'{"a":1},'.repeat(250_000).slice(0, -1)}]}`

  return [
    { name: 'visitor: home page', run: () => ask('GET', '/') },
    { name: 'visitor: API documentation', run: () => ask('GET', '/api/docs') },
    { name: 'visitor: ten calendars of 800 days in a batch', run: queries('availability.range', calendar) },
    {
      name: 'visitor: ten logins in a batch',
      run: () => mutations('accounts.login', login, { expect: [401, 207] }),
    },
    {
      name: 'visitors: 150 logins at once',
      run: () =>
        concurrently(150, i => ask('POST', '/api/auth/login', { body: login(i), expect: [401, 503] })),
    },
    {
      name: 'visitors: 100 contact messages at once',
      run: () =>
        concurrently(100, i => {
          const body = { name: `Ada ${i}`, email: 'ada@guest.example', message: 'm'.repeat(5000) }
          return ask('POST', '/trpc/contact.send', { body, expect: [200, 429] })
        }),
    },
    {
      name: 'tenant: 2 MB of brackets to sign with',
      run: () => ask('POST', '/trpc/leases.sign', { token: lease.token, body: nested, expect: [413] }),
    },
    {
      name: 'tenant: 2 MB of values to sign with',
      run: () => ask('POST', '/trpc/leases.sign', { token: lease.token, body: manyValues, expect: [413] }),
    },
    {
      name: 'tenant: signature with the two largest noisy pictures',
      run: async () => {
        const taken = takeLease()
        await ask('POST', `/api/lease/sign/${taken.id}`, { token: taken.token, body: signature(taken) })
        await removeSigned(taken.id)
      },
    },
    {
      name: 'tenant: ten signatures in a batch (refused)',
      run: () =>
        mutations('leases.sign', () => ({ id: lease.id, typedName: 'M', consent: true }), {
          token: lease.token,
          expect: [400],
        }),
    },
    {
      name: 'tenant: lease as a PDF',
      run: () => ask('GET', `/api/lease/download?applicationId=${lease.id}`, { token: lease.token }),
    },
    {
      name: 'tenant: 25 leases as PDFs at once',
      run: () => {
        const { id, token } = takeLease()
        const path = `/api/lease/download?applicationId=${id}`
        return concurrently(25, () => ask('GET', path, { token, expect: [200, 503] }))
      },
    },
    {
      name: 'tenant: 40 receipts at once',
      run: round => {
        const { paymentId, token } = payers[round] ?? { paymentId: '', token: '' }
        const path = `/api/payment/${paymentId}/receipt.pdf`
        return concurrently(40, () => ask('GET', path, { token, expect: [200, 429, 503] }))
      },
    },
    {
      name: 'tenant: scan of 10 MB, sent and fetched',
      run: async () => {
        const taken = takeLease()
        await ask('POST', '/api/lease/upload-signed', { token: taken.token, raw: scanOf(taken) })
        await ask('GET', `/api/lease/view-signed/${taken.id}`, { token: taken.token })
        await removeSigned(taken.id)
      },
    },
    {
      name: 'tenant: twelve dripping uploads, and a scan of another',
      run: async () => {
        const [slow, taken] = [takeLease(), takeLease()]
        const drips = Array.from({ length: 12 }, () => dripUpload(url, slow.token))
        await sleep(300)
        await ask('POST', '/api/lease/upload-signed', { token: taken.token, raw: scanOf(taken) })
        for (const stop of drips) stop()
        await removeSigned(taken.id)
      },
    },
    {
      name: 'admin: longest terms saved and published, and their page',
      run: async round => {
        await site.publishTerms(longestTerms(round))
        await ask('GET', '/terms')
      },
    },
    {
      name: 'admin: terms that are too slow to parse (refused)',
      run: () => site.saveTerms(`- a\n${'b\n'.repeat(14_990)}`, [400]),
    },
    { name: 'admin: 200 versions ten times in a batch', run: queries('editor.versions', {}) },
    {
      name: 'admin: all applications',
      run: () => ask('GET', '/api/application/admin/all', { token: admin }),
    },
    {
      name: 'admin: all that a search finds',
      run: () => ask('GET', '/api/application/admin/all?search=guest.example', { token: admin }),
    },
    { name: 'admin: ten lists without pages in a batch', run: queries('applications.adminList', {}) },
    {
      name: 'admin: ten lists of 200 in a batch',
      run: queries('applications.adminList', { ...search, page: 40 }),
    },
    {
      name: 'admin: ten searches in a batch',
      run: queries('applications.adminList', { ...search, search: 'guest.example', status: 'rejected' }),
    },
    {
      name: 'admin: ten short searches in a batch',
      run: queries('applications.adminList', { ...search, search: 'e' }),
    },
    { name: 'admin: ten counts in a batch', run: queries('applications.adminCounts', undefined) },
    { name: 'admin: ten revenues of all time in a batch', run: queries('payments.revenueSummary', {}) },
    {
      name: 'admin: revenue of all time as CSV',
      run: () => ask('GET', '/api/payment/admin/revenue.csv', { token: admin }),
    },
    { name: 'admin: ten notice boards in a batch', run: queries('notices.list', undefined) },
    { name: 'admin: ten calendars in a batch', run: queries('availability.adminRange', calendar) },
    {
      name: 'admin: 366 dates ten times in a batch',
      run: round =>
        mutations('availability.setDates', () => ({
          dates: farDates,
          isAvailable: round % 2 === 0,
          reason: 'Painting',
        })),
    },
    {
      name: 'admin: ten leases in a batch',
      run: () =>
        mutations('leases.generate', i => ({
          applicationId: leases[10 + i]?.id,
          rentalAmount: 2600,
          depositAmount: 500,
        })),
    },
    {
      name: 'admin: status of ten times 200 in a batch, with their mails',
      run: async round => {
        const status = round % 2 === 0 ? 'rejected' : 'completed'
        await mutations('applications.adminSetStatuses', i => ({ ids: pages[i], status }))
        await sleep(4000)
      },
    },
    {
      name: 'admin: deletion of ten times 200 in a batch',
      run: () => mutations('applications.adminDeleteMany', i => ({ ids: pages[i] })),
    },
  ]
}

/** Begins an upload that sends a byte every 20 ms; returns a function that breaks it off. */
function dripUpload(url: string, token: string): () => void {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'multipart/form-data; boundary=b',
    'x-forwarded-for': '192.0.2.1',
  }
  const drip = request(`${url}/api/lease/upload-signed`, { method: 'POST', headers })
  drip.on('error', () => {})
  drip.write('--b\r\nContent-Disposition: form-data; name="signedLease"; filename="a.pdf"\r\n\r\n')
  const timer = setInterval(() => drip.write('-'), 20)
  return () => {
    clearInterval(timer)
    drip.destroy()
  }
}

/** The slowest terms within the limits: 7 lists of 200 items with an emphasis, 30,000 characters. */
const longestTerms = (round: number) =>
  Array.from({ length: 7 }, () => `- b *a* ${String(round).repeat(12)}\n`.repeat(200))
    .join('\n')
    .slice(0, 30_000)

/** Saves and publishes sections of the site's content, as the editor does. */
function createSiteWords({ admin }: BenchSite, ask: ReturnType<typeof createAsk>, json: Json) {
  const { token } = admin
  const path = '/api/site/admin'
  const save = async (section: string, change: object, expect?: number[]) => {
    const { draft } = (await json('GET', `${path}/draft`, { token })) as { draft: Draft }
    const { body, version } = draft.sections[section] ?? { body: {}, version: 0 }
    const saved = { version, body: { ...body, ...change } }
    return ask('PUT', `${path}/draft/${section}`, { token, body: saved, ...(expect && { expect }) })
  }
  const publish = async (saved: Buffer) =>
    ask('POST', `${path}/publish`, { token, body: { revision: JSON.parse(saved.toString()).revision } })
  return {
    saveTerms: (text: string, expect?: number[]) => save('terms', { text }, expect),
    publishTerms: async (text: string) => publish(await save('terms', { text })),
    publishVersions: async (count: number) => {
      // A site in production cannot publish the sample reviews.
      await save('reviews', { reviews: [] })
      for (let at = 0; at < count; at++) await publish(await save('rates', { intro: `Rates ${at}` }))
    },
  }
}
type Draft = { sections: Record<string, { version: number; body: object }> }
type Json = (...request: Parameters<ReturnType<typeof createAsk>>) => Promise<Record<string, unknown>>

type Lease = { id: string; leaseTextSha256: string; token: string }

/** Creates approved applications, each from a different tenant, with a lease and the longest valid names. */
async function makeLeases({ admin, blocked, tenants }: BenchSite, json: Json): Promise<Lease[]> {
  const leases: Lease[] = []
  for (const [i, { token }] of tenants.slice(0, leaseCount).entries()) {
    const start = addDays(blocked.endDate, 10 + i * 31)
    const body = {
      firstName: 'M'.repeat(100),
      lastName: 'R'.repeat(100),
      secondApplicantFirstName: 'Z'.repeat(100),
      secondApplicantLastName: 'W'.repeat(100),
      phone: '850-555-0142',
      address: { street: 'S'.repeat(200), city: 'C'.repeat(100), state: 'AL', zipCode: '36602' },
      additionalGuests: Array.from({ length: 2 }, () => ({
        firstName: 'G'.repeat(100),
        lastName: 'H'.repeat(100),
      })),
      requestedStartDate: start,
      requestedEndDate: addDays(start, 30),
    }
    const { application } = await json('POST', '/api/application', { token, body })
    const { id } = application as { id: string }
    await json('POST', `/api/application/${id}/submit`, { token })
    const approved = { token: admin.token, body: { status: 'approved' } }
    await json('PUT', `/api/application/admin/${id}/status`, approved)
    const terms = { token: admin.token, body: { rentalAmount: 2500, depositAmount: 500 } }
    const { leaseTextSha256 } = await json('POST', `/api/lease/generate/${id}`, terms)
    leases.push({ id, leaseTextSha256: String(leaseTextSha256), token })
  }
  return leases
}

/** The largest accepted signature picture, with as many incompressible pixels as fit into its bytes. */
function noisyPng(): Buffer {
  const rowBytes = 1 + maxSignatureWidth * 4
  const noisyRows = Math.floor((maxSignatureBytes - 20_000) / rowBytes)
  const pixels = Buffer.concat([
    ...Array.from({ length: noisyRows }, () => Buffer.from([0, ...randomBytes(rowBytes - 1)])),
    Buffer.alloc((maxSignatureHeight - noisyRows) * rowBytes),
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(maxSignatureWidth, 0)
  header.writeUInt32BE(maxSignatureHeight, 4)
  header.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
