import type { Database } from 'better-sqlite3'
import Stripe from 'stripe'
import { openSqliteFile } from '../sqlite-file.ts'
import { newId } from './ids.ts'
import type {
  BalanceTransaction,
  Charge,
  Dispute,
  LineItem,
  PaymentIntent,
  Refund,
  Session,
  WebhookEndpoint,
} from './objects.ts'
import type { Filters, Page } from './params.ts'

export type ObjectOf = {
  'checkout.session': Session
  payment_intent: PaymentIntent
  charge: Charge
  balance_transaction: BalanceTransaction
  refund: Refund
  dispute: Dispute
  event: Stripe.Event
  webhook_endpoint: WebhookEndpoint
}
export type Kind = keyof ObjectOf
export type AnyObject = ObjectOf[Kind]

/** Creation parameters of a session that are not part of its API object. */
export type SessionDetails = { lineItems: LineItem[]; paymentIntent: { metadata: Record<string, string> } }
export type StoredResponse = { fingerprint: string; status: number; body: string }
export type Store = ReturnType<typeof openStore>

// Objects are stored as the JSON that the API returns; fields used in queries are generated columns.
const schema = `
  CREATE TABLE IF NOT EXISTS objects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    created INTEGER GENERATED ALWAYS AS (body ->> '$.created') VIRTUAL,
    payment_intent TEXT GENERATED ALWAYS AS (body ->> '$.payment_intent') VIRTUAL,
    charge TEXT GENERATED ALWAYS AS (body ->> '$.charge') VIRTUAL,
    status TEXT GENERATED ALWAYS AS (body ->> '$.status') VIRTUAL,
    type TEXT GENERATED ALWAYS AS (body ->> '$.type') VIRTUAL,
    expires_at INTEGER GENERATED ALWAYS AS (body ->> '$.expires_at') VIRTUAL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS objects_by_kind ON objects (kind, seq);
  CREATE INDEX IF NOT EXISTS objects_by_intent ON objects (payment_intent, kind);
  CREATE INDEX IF NOT EXISTS objects_by_charge ON objects (charge, kind);
  CREATE INDEX IF NOT EXISTS objects_open ON objects (expires_at) WHERE status = 'open';
  CREATE TABLE IF NOT EXISTS session_details (session TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS settlements (session TEXT PRIMARY KEY, at INTEGER NOT NULL, ok INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS returns (charge TEXT PRIMARY KEY, at INTEGER) STRICT;
  CREATE TABLE IF NOT EXISTS deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL UNIQUE,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (next_at) WHERE next_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL
  ) STRICT;
`

/** Opens the provider's state in a separate file, or ':memory:'. */
export function openStore(file: string) {
  const db = openSqliteFile(file, schema)
  const sql = createQueries(db)
  return {
    close: () => db.close(),
    /** Runs `work` in a transaction; can be nested. */
    atomically: <T>(work: () => T): T => db.transaction(work).immediate(),
    ...objectQueries(sql),
    ...sessionQueries(sql),
    ...deliveryQueries(sql),
    ...answerQueries(sql),
  }
}

type Queries = ReturnType<typeof createQueries>

function createQueries(db: Database) {
  const rows = <T>(sql: string, ...values: unknown[]) => db.prepare(sql).all(...values) as T[]
  return {
    run: (sql: string, ...values: unknown[]): void => void db.prepare(sql).run(...values),
    rows,
    /** The parsed column `body` of each row. */
    bodies: <T>(sql: string, ...values: unknown[]): T[] =>
      rows<{ body: string }>(sql, ...values).map(({ body }) => JSON.parse(body)),
  }
}

const objectQueries = ({ bodies, run }: Queries) => ({
  insert: (object: AnyObject): void =>
    run(
      'INSERT INTO objects (id, kind, body) VALUES (?, ?, ?)',
      object.id,
      object.object,
      JSON.stringify(object),
    ),
  save: (object: AnyObject): void =>
    run('UPDATE objects SET body = ? WHERE id = ?', JSON.stringify(object), object.id),
  remove: (id: string): void => run('DELETE FROM objects WHERE id = ?', id),
  find: <K extends Kind>(kind: K, id: string | null): ObjectOf[K] | undefined =>
    bodies<ObjectOf[K]>('SELECT body FROM objects WHERE kind = ? AND id = ?', kind, id)[0],
  findAny: (id: string): AnyObject | undefined =>
    bodies<AnyObject>('SELECT body FROM objects WHERE id = ?', id)[0],
  all: <K extends Kind>(kind: K) =>
    bodies<ObjectOf[K]>('SELECT body FROM objects WHERE kind = ? ORDER BY seq', kind),

  /** Newest first, like the real provider's lists; `hasMore` is true if there are older objects. */
  list<K extends Kind>(kind: K, filters: Filters, page: Page): { data: ObjectOf[K][]; hasMore: boolean } {
    const conditions = Object.entries({
      'kind = ?': kind,
      'payment_intent = ?': filters.payment_intent,
      'charge = ?': filters.charge,
      'status = ?': filters.status,
      'type = ?': filters.type,
      'created >= ?': page.created?.gte,
      'seq < (SELECT seq FROM objects WHERE id = ?)': page.starting_after,
    }).filter(([, value]) => value !== undefined)
    const where = conditions.map(([condition]) => condition).join(' AND ')
    const found = bodies<ObjectOf[K]>(
      `SELECT body FROM objects WHERE ${where} ORDER BY seq DESC LIMIT ?`,
      ...conditions.map(([, value]) => value),
      page.limit + 1,
    )
    return { data: found.slice(0, page.limit), hasMore: found.length > page.limit }
  },
})

const sessionQueries = ({ bodies, rows, run }: Queries) => ({
  sessionsToExpire: (atSeconds: number) =>
    bodies<Session>(
      "SELECT body FROM objects WHERE status = 'open' AND expires_at <= ? ORDER BY seq",
      atSeconds,
    ),
  saveDetails: (session: string, details: SessionDetails): void =>
    run('INSERT INTO session_details VALUES (?, ?)', session, JSON.stringify(details)),
  details: (session: string): SessionDetails =>
    bodies<SessionDetails>('SELECT body FROM session_details WHERE session = ?', session)[0] ?? {
      lineItems: [],
      paymentIntent: { metadata: {} },
    },
  /** Schedules the automatic settlement or failure of a bank transfer. */
  planSettlement: (session: string, atMs: number, ok: boolean): void =>
    run('INSERT INTO settlements VALUES (?, ?, ?)', session, atMs, ok ? 1 : 0),
  deleteSettlement: (session: string): void => run('DELETE FROM settlements WHERE session = ?', session),
  settlementsDue: (nowMs: number) =>
    rows<{ session: string; ok: number }>('SELECT session, ok FROM settlements WHERE at <= ?', nowMs),
  /** Plans a bank return; `dateReturn` sets its time after the transfer has settled. */
  planReturn: (charge: string): void => run('INSERT INTO returns (charge) VALUES (?)', charge),
  dateReturn: (charge: string, atMs: number): void =>
    run('UPDATE returns SET at = ? WHERE charge = ?', atMs, charge),
  deleteReturn: (charge: string): void => run('DELETE FROM returns WHERE charge = ?', charge),
  returnsDue: (nowMs: number) => rows<{ charge: string }>('SELECT charge FROM returns WHERE at <= ?', nowMs),
})

type Delivery = { event: string; attempts: number }

const deliveryQueries = ({ rows, run }: Queries) => ({
  queueDelivery: (event: string, atMs: number): void =>
    run('INSERT INTO deliveries (event, next_at) VALUES (?, ?)', event, atMs),
  deliveriesDue: (nowMs: number) =>
    rows<Delivery>('SELECT event, attempts FROM deliveries WHERE next_at <= ? ORDER BY seq LIMIT 100', nowMs),
  deliveriesWaiting: () =>
    rows<Delivery>('SELECT event, attempts FROM deliveries WHERE next_at IS NOT NULL ORDER BY seq'),
  /** `nextAtMs` is null if the event was delivered or given up. */
  recordAttempt: (event: string, nextAtMs: number | null): void =>
    run('UPDATE deliveries SET attempts = attempts + 1, next_at = ? WHERE event = ?', nextAtMs, event),
})

const answerQueries = ({ rows, run }: Queries) => ({
  storedResponse: (key: string, notBeforeMs: number): StoredResponse | undefined =>
    rows<StoredResponse>(
      'SELECT fingerprint, status, body FROM answers WHERE key = ? AND at >= ?',
      key,
      notBeforeMs,
    )[0],
  storeResponse: (key: string, { fingerprint, status, body }: StoredResponse, atMs: number): void =>
    run('INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)', key, fingerprint, status, body, atMs),
})

/** The dependencies of every provider action. */
export type SandboxContext = { store: Store; now: () => Date; publicOrigin: string }

export function nowSeconds(context: SandboxContext): number {
  return Math.floor(context.now().getTime() / 1000)
}

/** Stores an event with the object's current state and queues its delivery; call it in the action's transaction. */
export function emit(context: SandboxContext, type: Stripe.Event.Type, object: AnyObject): void {
  const event = {
    id: newId('evt_1'),
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: nowSeconds(context),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    type,
  } as Stripe.Event
  context.store.insert(event)
  context.store.queueDelivery(event.id, context.now().getTime())
}
