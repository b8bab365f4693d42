import { verifyStore } from '../../server/operations/backup/verify.ts'
import { scanPdf } from '../build-lease.ts'
import { testRandom } from '../random.ts'
import { type Account, applicationForm, checkout, type Portal, scan, signature } from '../security/portal.ts'

/** An acknowledged write: a description, and the query that finds it afterwards. */
export type Acknowledged = { description: string; sql: string; id: string }
export type Journal = Acknowledged[]

const random = testRandom()

/** A two-night stay that no other application uses, far from the dates of `apply`. */
let stays = 0
function nextStay() {
  const day = (offset: number) =>
    new Date(Date.UTC(new Date().getUTCFullYear() + 30, 0, 1 + stays * 2 + offset)).toISOString().slice(0, 10)
  const stay = { requestedStartDate: day(0), requestedEndDate: day(2) }
  stays += 1
  return stay
}

/**
 * Simulated users who keep writing until the site dies or the test stops them: they register, apply, are approved, sign
 * in the app or by scan, and pay; an owner enters payments, rates and blocked days. Every acknowledged write is added
 * to the journal before the next write starts.
 */
export function startWriters(portal: Portal, owner: Account, journal: Journal, count = 5) {
  const refusals: string[] = []
  let stopped = false

  async function work(index: number): Promise<void> {
    while (!stopped) {
      try {
        await (index === 0 ? workAsOwner : workAsTenant)(
          portal,
          owner,
          (description, sql, id) => void journal.push({ description, sql, id }),
        )
      } catch (error) {
        // A broken connection is expected; any other rejection is the site's fault.
        if (!(error instanceof TypeError)) refusals.push(String(error))
        return
      }
    }
  }
  const all = Promise.all(Array.from({ length: count }, (_, index) => work(index)))
  return {
    refusals,
    /** Lets all users finish their current work. */
    async stop() {
      stopped = true
      await all
    },
  }
}
type Note = (description: string, sql: string, id: string) => void

async function workAsTenant(portal: Portal, owner: Account, note: Note): Promise<void> {
  const { call, expectOk, providerServer } = portal
  const tenant = await portal.tenant()
  const { token } = tenant
  note('an account', 'select 1 from users where id = ?', tenant.id)
  const body = applicationForm(nextStay())
  const { application } = await expectOk(call('POST', '/api/application', { token, body }))
  const { id } = application
  note('a draft', 'select 1 from applications where id = ?', id)
  await expectOk(call('POST', `/api/application/${id}/submit`, { token }))
  note('a submission', 'select 1 from applications where submitted_at is not null and id = ?', id)
  await expectOk(
    call('PUT', `/api/application/admin/${id}/status`, { token: owner.token, body: { status: 'approved' } }),
  )
  note('an approval', "select 1 from applications where status in ('approved', 'completed') and id = ?", id)
  const terms = { rentalAmount: 2500, depositAmount: 500 }
  await expectOk(call('POST', `/api/lease/generate/${id}`, { token: owner.token, body: terms }))
  note('a lease', 'select 1 from leases where application_id = ?', id)
  if (random.below(2) === 0)
    await expectOk(call('POST', `/api/lease/sign/${id}`, { token, body: signature() }))
  else {
    const raw = scan(id, { content: scanPdf(50_000) })
    await expectOk(call('POST', '/api/lease/upload-signed', { token, raw }))
  }
  note(
    'a signed lease',
    'select 1 from leases l join files f on f.id = l.file_id where l.application_id = ?',
    id,
  )
  const asked = await expectOk(
    call('POST', '/api/payment/create-checkout-session', { token, body: checkout({ applicationId: id }) }),
  )
  const sessionId = String(asked.sessionId ?? new URL(asked.url).pathname.split('/').at(-1))
  note('a checkout', 'select 1 from payments where checkout_session_id = ?', sessionId)
  providerServer.provider.pay(sessionId)
  await expectOk(call('GET', `/api/payment/by-session/${sessionId}`, { token }))
  note(
    'a payment',
    "select 1 from payments where status = 'succeeded' and checkout_session_id = ?",
    sessionId,
  )
}

async function workAsOwner({ call, expectOk }: Portal, { token }: Account, note: Note): Promise<void> {
  const date = nextStay().requestedStartDate
  const blocked = { isAvailable: false, reason: 'Owner' }
  await expectOk(call('PUT', `/api/availability/admin/${date}`, { token, body: blocked }))
  note('a blocked day', 'select 1 from availability where is_available = 0 and date = ?', date)
  const rate = { period: 'Season', startDate: date, endDate: date, monthly: 3000, isActive: false }
  const made = await expectOk(call('POST', '/api/rates/admin', { token, body: rate }))
  note('a rate', 'select 1 from rates where id = ?', made.rate.id)
}

/** Acknowledged writes that are missing in the database. */
export function missingWrites(portal: Portal, journal: Journal): Acknowledged[] {
  return portal.database(db => journal.filter(({ sql, id }) => db.prepare(sql).pluck().get(id) !== 1))
}

/** Runs the `verify` command's checks on the store and returns the faults. */
export async function verifyErrors({ folder }: Portal): Promise<string[]> {
  const store = { databaseFile: `${folder}/portal.sqlite`, uploadsDir: `${folder}/uploads` }
  return (await verifyStore(store, () => {})).faults
}

/**
 * Delivers all provider events again and returns the differences that remain: money that arrived must count once and
 * have one receipt.
 */
export async function paymentDifferences({ providerServer, database }: Portal): Promise<string[]> {
  for (const event of providerServer.provider.events()) {
    const [status] = await providerServer.provider.deliverEvent(event.id)
    if (status !== 200) return [`the event ${event.id} was answered with ${status}`]
  }
  const paid = Object.entries(providerServer.provider.truth()).filter(([, truth]) => truth.paid > 0)
  return database(db =>
    paid.flatMap(([sessionId, truth]) => {
      const rows = db
        .prepare(
          'select id, status, amount_cents + fee_cents as total from payments where checkout_session_id = ?',
        )
        .all(sessionId) as { id: string; status: string; total: number }[]
      const receipts = db
        .prepare(
          "select count(*) from outbox where kind = 'payment-receipt' and json_extract(props, '$.paymentId') = ?",
        )
        .pluck()
        .get(rows[0]?.id)
      const agrees =
        rows.length === 1 && rows[0]?.status === 'succeeded' && rows[0].total === truth.paid && receipts === 1
      return agrees ? [] : [`${sessionId}: ${JSON.stringify({ rows, receipts, paid: truth.paid })}`]
    }),
  )
}
