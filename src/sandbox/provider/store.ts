import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import type Stripe from 'stripe'

export type ObjectOf = {
  'checkout.session': Stripe.Checkout.Session
  payment_intent: Stripe.PaymentIntent
  charge: Stripe.Charge
  refund: Stripe.Refund
  dispute: Stripe.Dispute
  event: Stripe.Event
}
export type Kind = keyof ObjectOf
export type AnyObject = ObjectOf[Kind]

export type Filters = Partial<Record<'payment_intent' | 'charge' | 'status' | 'type', string>>
export type Page = {
  limit: number
  starting_after?: string
  ending_before?: string
  created?: { gt?: number; gte?: number; lt?: number; lte?: number }
}

export type Delivery = { event: string; attempts: number; nextAt: number }
export type SavedAnswer = { fingerprint: string; status: number; body: string }
export type Store = ReturnType<typeof openStore>

// Objects are kept as the JSON that the API answers; what is asked for by value is a generated column.
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
  CREATE TABLE IF NOT EXISTS deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL UNIQUE,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (next_at) WHERE next_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
`

/** Opens the provider's own file (or ':memory:'); it has nothing in common with the portal's database. */
export function openStore(file: string) {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = new Database(file)
  if (file !== ':memory:') chmodSync(file, 0o600)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec(schema)

  const bodyOf = db.prepare('SELECT body FROM objects WHERE kind = ? AND id = ?').pluck()
  const anyBodyOf = db.prepare('SELECT body FROM objects WHERE id = ?').pluck()
  const insertObject = db.prepare('INSERT INTO objects (id, kind, body) VALUES (?, ?, ?)')
  const updateObject = db.prepare('UPDATE objects SET body = ? WHERE id = ?')
  const seqOf = db.prepare('SELECT seq FROM objects WHERE id = ?').pluck()
  const parse = <T>(body: unknown): T | undefined =>
    typeof body === 'string' ? (JSON.parse(body) as T) : undefined

  return {
    close: () => db.close(),
    /** All or nothing; nests. */
    atomically: <T>(work: () => T): T => db.transaction(work).immediate(),

    insert(object: AnyObject): void {
      insertObject.run(object.id, object.object, JSON.stringify(object))
    },
    save(object: AnyObject): void {
      updateObject.run(JSON.stringify(object), object.id)
    },
    find: <K extends Kind>(kind: K, id: string): ObjectOf[K] | undefined => parse(bodyOf.get(kind, id)),
    findAny: (id: string): AnyObject | undefined => parse(anyBodyOf.get(id)),

    /** Newest first, as the provider lists; `hasMore` says that older (or newer) ones were left off. */
    list<K extends Kind>(kind: K, filters: Filters, page: Page): { data: ObjectOf[K][]; hasMore: boolean } {
      const where = ['kind = ?']
      const values: (string | number)[] = [kind]
      const add = (condition: string, value: string | number | undefined) => {
        if (value === undefined) return
        where.push(condition)
        values.push(value)
      }
      for (const [column, value] of Object.entries(filters)) add(`${column} = ?`, value)
      const { created = {}, ending_before, starting_after } = page
      add('created > ?', created.gt)
      add('created >= ?', created.gte)
      add('created < ?', created.lt)
      add('created <= ?', created.lte)
      if (starting_after) add('seq < ?', Number(seqOf.get(starting_after) ?? 0))
      if (ending_before) add('seq > ?', Number(seqOf.get(ending_before) ?? Number.MAX_SAFE_INTEGER))
      const sql = `SELECT body FROM objects WHERE ${where.join(' AND ')} ORDER BY seq ${ending_before ? 'ASC' : 'DESC'} LIMIT ?`
      const rows = db
        .prepare(sql)
        .pluck()
        .all(...values, page.limit + 1) as string[]
      const data = rows.slice(0, page.limit).map(row => JSON.parse(row) as ObjectOf[K])
      return { data: ending_before ? data.reverse() : data, hasMore: rows.length > page.limit }
    },
    all: <K extends Kind>(kind: K): ObjectOf[K][] =>
      (db.prepare('SELECT body FROM objects WHERE kind = ? ORDER BY seq').pluck().all(kind) as string[]).map(
        row => JSON.parse(row) as ObjectOf[K],
      ),
    sessionsToExpire: (atSeconds: number): Stripe.Checkout.Session[] =>
      (
        db
          .prepare("SELECT body FROM objects WHERE status = 'open' AND expires_at <= ? ORDER BY seq")
          .pluck()
          .all(atSeconds) as string[]
      ).map(row => JSON.parse(row) as Stripe.Checkout.Session),

    /** What a session was made of and its API object does not show (line items, the payment's own data). */
    saveDetails(session: string, details: object): void {
      db.prepare('INSERT INTO session_details VALUES (?, ?)').run(session, JSON.stringify(details))
    },
    details: <T>(session: string): T | undefined =>
      parse(db.prepare('SELECT body FROM session_details WHERE session = ?').pluck().get(session)),

    planSettlement(session: string, atMs: number, ok: boolean): void {
      db.prepare('INSERT INTO settlements VALUES (?, ?, ?)').run(session, atMs, ok ? 1 : 0)
    },
    forgetSettlement(session: string): void {
      db.prepare('DELETE FROM settlements WHERE session = ?').run(session)
    },
    settlementsDue: (nowMs: number) =>
      db.prepare('SELECT session, ok FROM settlements WHERE at <= ?').all(nowMs) as {
        session: string
        ok: number
      }[],

    queueDelivery(event: string, atMs: number): void {
      db.prepare('INSERT INTO deliveries (event, next_at) VALUES (?, ?)').run(event, atMs)
    },
    deliveriesDue: (nowMs: number): Delivery[] =>
      db
        .prepare(
          'SELECT event, attempts, next_at AS nextAt FROM deliveries WHERE next_at <= ? ORDER BY seq LIMIT 100',
        )
        .all(nowMs) as Delivery[],
    deliveriesWaiting: (): Delivery[] =>
      db
        .prepare(
          'SELECT event, attempts, next_at AS nextAt FROM deliveries WHERE next_at IS NOT NULL ORDER BY seq',
        )
        .all() as Delivery[],
    /** `nextAtMs` null: delivered, or given up. */
    recordAttempt(event: string, nextAtMs: number | null): void {
      db.prepare('UPDATE deliveries SET attempts = attempts + 1, next_at = ? WHERE event = ?').run(
        nextAtMs,
        event,
      )
    },

    savedAnswer: (key: string, notBeforeMs: number) =>
      db
        .prepare('SELECT fingerprint, status, body FROM answers WHERE key = ? AND at >= ?')
        .get(key, notBeforeMs) as SavedAnswer | undefined,
    saveAnswer(key: string, { fingerprint, status, body }: SavedAnswer, atMs: number): void {
      db.prepare('INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)').run(
        key,
        fingerprint,
        status,
        body,
        atMs,
      )
    },
  }
}
