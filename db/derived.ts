import { createHash } from 'node:crypto'
import type SqliteDatabase from 'better-sqlite3'

// Views and triggers of the derived tables: `application_search` (with its full-text index) and `revenue_months`.
// Migrations must not define any.

/**
 * Content and sort columns of the admin's search. Two spaces before each field and one before each word let the trigram
 * index find one or two letters at the start of a word.
 */
const searchable = `
CREATE VIEW application_searchable AS
SELECT
  id AS application_id,
  '  ' || first_name || ' ' || last_name || '  ' || last_name || '  ' || email || '  ' || number || '  ' || phone
    || '  ' || replace(replace(replace(replace(phone, ' ', ''), '-', ''), '(', ''), ')', '') AS content,
  status, created_at, first_name, total_cents
FROM applications
WHERE deleted_at IS NULL AND submitted_at IS NOT NULL;

CREATE VIEW revenue_by_month AS
SELECT revenue_month AS month, type, sum(amount_cents - refunded_amount_cents) AS amount_cents,
  sum(fee_cents - refunded_fee_cents) AS fee_cents, count(*) AS counted, sum(amount_cents > 0) AS received
FROM payments WHERE revenue_month IS NOT NULL GROUP BY 1, 2;

CREATE VIRTUAL TABLE IF NOT EXISTS application_fts USING fts5(
  content, status, content = 'application_search', content_rowid = 'id', tokenize = 'trigram'
);
`

const searchColumns = 'application_id, content, status, created_at, first_name, total_cents'
/** Updates keep the row's id. Ids rise in order of arrival, so the index finds the newest matches first. */
const searchTriggers = `
CREATE TRIGGER application_search_added AFTER INSERT ON application_search BEGIN
  INSERT INTO application_fts (rowid, content, status) VALUES (new.id, new.content, new.status);
END;

CREATE TRIGGER application_search_removed AFTER DELETE ON application_search BEGIN
  INSERT INTO application_fts (application_fts, rowid, content, status) VALUES ('delete', old.id, old.content, old.status);
END;

CREATE TRIGGER application_search_changed AFTER UPDATE OF content, status ON application_search
WHEN new.content <> old.content OR new.status <> old.status BEGIN
  INSERT INTO application_fts (application_fts, rowid, content, status) VALUES ('delete', old.id, old.content, old.status);
  INSERT INTO application_fts (rowid, content, status) VALUES (new.id, new.content, new.status);
END;

CREATE TRIGGER applications_search_added AFTER INSERT ON applications BEGIN
  INSERT INTO application_search (${searchColumns}) SELECT * FROM application_searchable WHERE application_id = new.id;
END;

CREATE TRIGGER applications_search_changed
AFTER UPDATE OF first_name, last_name, email, number, phone, status, created_at, total_cents, submitted_at, deleted_at
ON applications BEGIN
  DELETE FROM application_search
  WHERE application_id = old.id AND (new.deleted_at IS NOT NULL OR new.submitted_at IS NULL);
  INSERT INTO application_search (${searchColumns}) SELECT * FROM application_searchable WHERE application_id = new.id
  ON CONFLICT (application_id) DO UPDATE SET
    content = excluded.content, status = excluded.status, created_at = excluded.created_at,
    first_name = excluded.first_name, total_cents = excluded.total_cents;
END;

CREATE TRIGGER applications_search_removed AFTER DELETE ON applications BEGIN
  DELETE FROM application_search WHERE application_id = old.id;
END;
`

const takeOldPayment = `
  UPDATE revenue_months SET
    amount_cents = amount_cents - (old.amount_cents - old.refunded_amount_cents),
    fee_cents = fee_cents - (old.fee_cents - old.refunded_fee_cents),
    counted = counted - 1, received = received - (old.amount_cents > 0)
  WHERE month = old.revenue_month AND type = old.type;`
const addNewPayment = `
  INSERT INTO revenue_months
  SELECT new.revenue_month, new.type, new.amount_cents - new.refunded_amount_cents,
    new.fee_cents - new.refunded_fee_cents, 1, new.amount_cents > 0
  WHERE new.revenue_month IS NOT NULL
  ON CONFLICT DO UPDATE SET
    amount_cents = amount_cents + excluded.amount_cents, fee_cents = fee_cents + excluded.fee_cents,
    counted = counted + 1, received = received + excluded.received;`
const revenueTriggers = `
CREATE TRIGGER payments_revenue_added AFTER INSERT ON payments WHEN new.revenue_month IS NOT NULL BEGIN${addNewPayment}
END;

CREATE TRIGGER payments_revenue_removed AFTER DELETE ON payments WHEN old.revenue_month IS NOT NULL BEGIN${takeOldPayment}
END;

CREATE TRIGGER payments_revenue_changed AFTER UPDATE ON payments BEGIN${takeOldPayment}${addNewPayment}
END;
`

const definition = searchable + searchTriggers + revenueTriggers
/** Stored in the database. A program with another definition recreates the views, triggers and derived tables. */
const version = createHash('sha256').update(definition).digest().readInt32BE() & 0x7fffffff

export function isDerivedCurrent(sqlite: SqliteDatabase.Database): boolean {
  return sqlite.pragma('user_version', { simple: true }) === version
}

/** Drops all views and triggers, so that a migration can change any table. */
export function dropDerived(sqlite: SqliteDatabase.Database): void {
  const found = sqlite
    .prepare("select type, name from sqlite_master where type in ('trigger', 'view')")
    .all() as { type: string; name: string }[]
  for (const { type, name } of found) sqlite.exec(`DROP ${type} "${name}"`)
}

/** Creates views and triggers and rebuilds the derived tables, inside the caller's transaction. */
export function createDerived(sqlite: SqliteDatabase.Database): void {
  sqlite.exec(searchable)
  sqlite.exec(`
    DELETE FROM application_search;
    INSERT INTO application_search (${searchColumns}) SELECT * FROM application_searchable ORDER BY created_at;
    INSERT INTO application_fts (application_fts) VALUES ('rebuild');
    DELETE FROM revenue_months;
    INSERT INTO revenue_months SELECT * FROM revenue_by_month;
  `)
  sqlite.exec(searchTriggers + revenueTriggers)
  sqlite.pragma(`user_version = ${version}`)
}

/** Checks of the derived tables: each query returns the rows that differ. */
export const derivedTableChecks: readonly [fault: string, sql: string][] = [
  [
    'months whose revenue is not the sum of its payments',
    `with stored as (
       select * from revenue_months where counted <> 0 or amount_cents <> 0 or fee_cents <> 0 or received <> 0),
     missing as (select * from revenue_by_month except select * from stored),
     wrong as (select * from stored except select * from revenue_by_month)
     select month from missing union select month from wrong`,
  ],
  [
    'applications that are missing or outdated in the search index',
    `with stored as (select ${searchColumns} from application_search),
     missing as (select * from application_searchable except select * from stored),
     wrong as (select * from stored except select * from application_searchable)
     select application_id from missing union select application_id from wrong`,
  ],
]
