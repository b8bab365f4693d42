import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { compareSchema, openExisting, type Sqlite } from '../../../../db/open.ts'
import * as schema from '../../../../db/schema.ts'
import { bookedCondition } from '../../../../db/schema.ts'
import { type Violation, violationsOf } from '../../../domain/money/ledger-invariants.ts'
import { planMismatchCents } from '../../../domain/money/payment-plan-charges.ts'
import { readIdOf, storeIdMismatch } from '../../kernel/files/store-id.ts'
import { isStoredFile, orphansFolder } from '../../kernel/upload-folder.ts'
import { exists } from '../../lib/disk.ts'
import { hashFile, sha256 as sha256Of } from '../../lib/sha256.ts'
import { allAccounts } from '../../money/accounts.ts'
import { allCharges, liveInstallments } from '../../money/records.ts'
import { type Progress, reportTenths, type Store } from './make-backup.ts'

export type VerifyReport = {
  /** A sentence for each fault. */
  faults: string[]
  /** Those of them that the card provider caused, such as a dispute of money that went back: the owner has a notice. */
  byProvider: string[]
  files: number
  /** Files without a record, left by interrupted uploads; the next start moves them to the folder of orphans. */
  orphanedFiles: number
}

/** Invariants of the stored data: each is a query for violations, with its name in the report. */
const rules: readonly [fault: string, sql: string][] = [
  [
    'payments that count as received without a date of payment',
    "select id from payments where status in ('succeeded', 'refunded', 'disputed') and paid_at is null",
  ],
  [
    'payments whose tenant differs from their application’s',
    'select p.id from payments p join applications a on a.id = p.application_id where a.user_id <> p.user_id',
  ],
  [
    'unreported card payments for applications that were already declined or deleted',
    `select p.id from payments p
     join applications a on a.id = coalesce(p.application_id, p.former_application_id)
     where p.method = 'card' and p.status = 'succeeded' and p.voided_at is null and p.cancel_requested_at is null
       and p.paid_at > case when a.deleted_at is not null then a.deleted_at when a.status in ('rejected', 'cancelled') then (
         select max(at) from events where subject_id = a.id
           and kind in ('application.rejected', 'application.withdrawn', 'application.cancelled'))
       end`,
  ],
  [
    'applications whose total is not the sum of their charges',
    `select number from applications a where total_cents <> (
       select coalesce(sum(amount_cents), 0) from charges where application_id = a.id and voided_at is null)`,
  ],
  [
    'leases without their rent and deposit among the charges',
    `select a.number from leases l join applications a on a.id = l.application_id
     where l.kind = 'lease' and l.voided_at is null and 2 <> (
       select count(*) from charges where application_id = a.id and source = 'lease' and kind in ('rent', 'deposit'))`,
  ],
  [
    'taxes whose amount does not match their rate and base',
    // The taxes of lease and addenda, then of later charges, each with the sum of what stood before it (CHANGE-20, CHANGE-38).
    `with taxes as (
       select id, rate_basis_points as rate, sum(amount_cents) over so_far as amount,
         max(0, sum(base_cents) over so_far) as base, first_value(source) over so_far as first
       from charges where kind = 'tax' and voided_at is null
       window so_far as (partition by application_id, tax_rule_id order by source = 'owner', rowid))
     select id from taxes where amount <> (base * rate + 5000) / 10000 or first <> 'lease'`,
  ],
  [
    'charges without the id of their fee or tax rule',
    `select id from charges where source = 'lease' and (
       (kind = 'tax' and tax_rule_id is null) or
       (kind in ('fee', 'discount') and per is not null and fee_rule_id is null))`,
  ],
  [
    'payment plans without a lease',
    `select a.number from payment_plans p join applications a on a.id = p.application_id where not exists (
       select 1 from leases l where l.application_id = a.id and l.kind = 'lease' and l.voided_at is null)`,
  ],
  [
    'installments without a payment plan',
    `select id from instalments where superseded_at is null
       and application_id not in (select application_id from payment_plans)`,
  ],
  [
    'signed leases without their file',
    'select id from leases where signed_at is not null and file_id is null',
  ],
  [
    'signings with all signatures and no file',
    `select g.id from signings g join leases l on l.id = g.lease_id
     where l.file_id is null and g.state in ('open', 'complete') and exists (
       select 1 from signers where signing_id = g.id and signed_at is not null) and not exists (
       select 1 from signers where signing_id = g.id and removed_at is null and signed_at is null)`,
  ],
  [
    'payments with more corrected or lost than was refunded',
    `select id from payments where corrected_amount_cents < 0 or lost_amount_cents + corrected_amount_cents >
       case type when 'deposit_return' then -amount_cents else refunded_amount_cents end`,
  ],
  [
    'kept items of deposits without their deduction',
    `select i.label from deposit_items i left join payments p on p.id = i.payment_id where i.kept_at is not null
       and (p.type is not 'deduction' or p.amount_cents <> -i.amount_cents or p.voided_at is not null)`,
  ],
  [
    'returns that are done without their refund or entry',
    `select l.id from return_legs l where l.state = 'done' and not exists (
       select 1 from payments p where p.id = l.row_id and p.voided_at is null and p.amount_cents = -l.amount_cents
       union all select 1 from refunds r where r.id = l.refund_id and r.payment_id = l.payment_id
         and r.total_cents = l.total_cents and r.status = 'succeeded')`,
  ],
  [
    'cancelled stays with an open checkout',
    `select a.number from payments p join applications a on a.id = p.application_id where a.status = 'cancelled'
       and p.method = 'card' and p.status = 'pending' and p.voided_at is null and p.cancel_requested_at is null`,
  ],
  [
    'cancelled stays that owe more than what was kept',
    `select a.number from applications a where a.status = 'cancelled' and (
       exists (select 1 from charges c where c.application_id = a.id and c.voided_at is null and c.source <> 'cancellation')
       or a.total_cents <> (select kept_cents from cancellations where application_id = a.id and state = 'cancelled'))`,
  ],
  // What is over by its clock alone ends with the next write, before its nights are anybody else's.
  [
    'open addenda that do not hold the nights that they add',
    `select a.number from addenda d join leases l on l.id = d.lease_id join applications a on a.id = l.application_id
     where l.signed_at is null and l.voided_at is null and d.closed is null
       and (l.start_date < d.before ->> 'startDate' or l.end_date > d.before ->> 'endDate') and not exists (
         select 1 from claims where lease_id = l.id and (ended_at is null or ended_as = 'expired'))`,
  ],
  [
    'held nights without an open addendum',
    `select c.id from claims c where c.kind = 'addendum' and c.ended_at is null and not exists (
       select 1 from addenda d join leases l on l.id = d.lease_id where l.id = c.lease_id
         and l.signed_at is null and l.voided_at is null and d.closed is null)`,
  ],
  [
    'held nights that another booking has',
    `with booked as (
       select id, number, stay_start_date as start, stay_end_date as until from applications where ${bookedCondition})
     select distinct b.number from claims c join booked b
       on b.id is not c.application_id and b.start < c.end_date and c.start_date < b.until
     where c.ended_at is null and c.state in ('open', 'asked')`,
  ],
  [
    'photos kept as evidence whose hash is not their file’s',
    'select e.id from evidence e left join files f on f.id = e.file_id where f.sha256 is not e.sha256',
  ],
  [
    'claims that share a night with another',
    `select a.id from claims a join claims b on a.id < b.id and a.start_date < b.end_date and b.start_date < a.end_date
     where a.ended_at is null and b.ended_at is null and a.state in ('open', 'asked') and b.state in ('open', 'asked')`,
  ],
  [
    'accepted offers without their application',
    `select id from claims where (state = 'accepted' or ended_as in ('lapsed', 'incomplete'))
       and accepted_application_id is null`,
  ],
  [
    'applications of offers without their claim',
    `select number from applications where source = 'offer' and deleted_at is null
       and id not in (select accepted_application_id from claims where accepted_application_id is not null)`,
  ],
  [
    'bookings that share a night with another',
    `select number from (
       select number, stay_start_date as start, max(stay_end_date) over (
         order by stay_start_date, stay_end_date rows between unbounded preceding and 1 preceding) as taken_until
       from applications where ${bookedCondition})
     where taken_until > start`,
  ],
]

/**
 * Checks a store, in use or not, without changing it: the database's structure and foreign keys, the invariants of
 * ledger, leases, bookings, payment plans and sums, and the hash of every stored file.
 * @throws Error when there is no database, or it has another version of the schema
 */
export async function verifyStore(store: Store, progress: Progress): Promise<VerifyReport> {
  const { databaseFile, uploadsDir } = store
  if (!(await exists(databaseFile))) throw new Error(`There is no database at ${databaseFile}.`)
  const sqlite = openExisting(databaseFile, { readonly: true })
  try {
    const comparison = compareSchema(sqlite)
    if (comparison === 'foreign') throw new Error(`${databaseFile} is not a database of this program.`)
    if (comparison !== 'current')
      throw new Error(
        `This database is of a${comparison === 'newer' ? ' newer' : 'n older'} version of the program.`,
      )
    progress('Checking the database …')
    const mismatch = storeIdMismatch(store, readIdOf(sqlite))
    const ledger = violationsOf(allAccounts(drizzle(sqlite)))
    const faults = [
      ...(mismatch ? [mismatch.message] : []),
      ...structureErrors(sqlite),
      ...ledger.map(sentenceOf),
      ...ruleErrors(sqlite),
      ...leaseTextErrors(sqlite),
      ...planErrors(sqlite),
    ]
    const files = await checkFiles(sqlite, uploadsDir, progress)
    const byProvider = ledger.filter(({ cause }) => cause === 'provider').map(sentenceOf)
    return { ...files, faults: [...faults, ...files.faults], byProvider }
  } finally {
    sqlite.close()
  }
}

function structureErrors(sqlite: Sqlite): string[] {
  const found = (sqlite.pragma('integrity_check') as { integrity_check: string }[]).map(
    row => row.integrity_check,
  )
  const damage = found.filter(line => line !== 'ok').map(line => `The database is damaged: ${line}`)
  const dangling = (sqlite.pragma('foreign_key_check') as { table: string; parent: string }[]).map(
    ({ table, parent }) => `A row of ${table} references a missing row of ${parent}.`,
  )
  return [...damage, ...new Set(dangling)]
}

const sentenceOf = ({ sentence, title }: Violation) => `${title}: ${sentence}`

function ruleErrors(sqlite: Sqlite): string[] {
  return rules.flatMap(([fault, sql]) => {
    const broken = sqlite.prepare(sql).pluck().all() as string[]
    return broken.length === 0 ? [] : [`${broken.length} ${fault}: ${named(broken)}`]
  })
}

function leaseTextErrors(sqlite: Sqlite): string[] {
  const leases = sqlite
    .prepare(
      'select a.number, l.text, l.text_sha256 as sha256 from leases l join applications a on a.id = l.application_id',
    )
    .iterate() as IterableIterator<{ number: string; text: string; sha256: string }>
  const changed: string[] = []
  for (const { number, text, sha256 } of leases) if (sha256Of(text) !== sha256) changed.push(number)
  return changed.length === 0 ? [] : [`${changed.length} lease texts that were changed: ${named(changed)}`]
}

/**
 * Payment plans whose payments do not add up to the charges and credits; those of a cancelled stay, to the charges that
 * its cancellation voided (CHANGE-11).
 */
function planErrors(sqlite: Sqlite): string[] {
  const db = drizzle(sqlite, { schema })
  const plans = sqlite
    .prepare(
      `select p.application_id as id, a.number, c.id as cancelledBy from payment_plans p
       join applications a on a.id = p.application_id
       left join cancellations c on c.application_id = a.id and c.state = 'cancelled'`,
    )
    .all() as { id: string; number: string; cancelledBy: string | null }[]
  const broken = plans.filter(({ cancelledBy, id }) => {
    const planned = allCharges(db, id)
      .filter(({ source }) => source !== 'cancellation')
      .map(row =>
        cancelledBy !== null && row.cancellationId === cancelledBy ? { ...row, voidedAt: null } : row,
      )
    return planMismatchCents(liveInstallments(db, id), planned) !== 0
  })
  if (broken.length === 0) return []
  const numbers = named(broken.map(({ number }) => number))
  return [`${broken.length} payment plans that do not add up to the charges and credits: ${numbers}`]
}

async function checkFiles(sqlite: Sqlite, uploadsDir: string, progress: Progress) {
  const rows = sqlite
    .prepare('select storage_name as storageName, original_name as originalName, sha256 from files')
    .all() as { storageName: string; originalName: string; sha256: string }[]
  const faults: string[] = []
  for (const [index, { storageName, originalName, sha256 }] of rows.entries()) {
    const actual = await hashOf(join(uploadsDir, storageName))
    if (actual !== sha256) {
      const aside = actual ? undefined : await hashOf(join(uploadsDir, orphansFolder, storageName))
      const missing = aside === sha256 ? 'set aside in orphans; the next start takes it back' : 'missing'
      faults.push(`The stored file "${originalName}" (${storageName}) is ${actual ? 'damaged' : missing}.`)
    }
    reportTenths(progress, index + 1, rows.length)
  }
  const known = new Set(rows.map(({ storageName }) => storageName))
  const stored = (await exists(uploadsDir)) ? await readdir(uploadsDir, { withFileTypes: true }) : []
  const orphanedFiles = stored.filter(entry => isStoredFile(entry) && !known.has(entry.name)).length
  return { faults, files: rows.length, orphanedFiles }
}

const hashOf = async (path: string): Promise<string | undefined> =>
  (await exists(path)) ? (await hashFile(path)).sha256 : undefined

const named = (names: string[]) => names.slice(0, 5).join(', ') + (names.length > 5 ? ', …' : '')
