import type { Sqlite } from '../../../../db/open.ts'

export type Entered = { kind: 'application' | 'lease' | 'payment' | 'event'; at: string; what: string }

const sources: Record<Exclude<Entered['kind'], 'event'>, string> = {
  application:
    "select created_at as at, number || ' ' || first_name || ' ' || last_name as what from applications",
  lease:
    'select l.generated_at as at, a.number as what from leases l join applications a on a.id = l.application_id',
  payment: `select p.created_at as at, coalesce(a.number, '') || ' ' || p.method || ' ' || p.status || ' ' ||
      printf('%.2f', p.amount_cents / 100.0) as what
    from payments p left join applications a on a.id = coalesce(p.application_id, p.former_application_id)`,
}

/** What was entered since a UTC ISO time, oldest first: what going back to an older database would lose (INST-38). */
export function enteredSince(sqlite: Sqlite, since: string): Entered[] {
  const read = (kind: Entered['kind'], sql: string) =>
    (sqlite.prepare(`select at, what from (${sql}) where at >= ?`).all(since) as Omit<Entered, 'kind'>[]).map(
      row => ({ kind, ...row }),
    )
  const rows = [
    ...Object.entries(sources).flatMap(([kind, sql]) => read(kind as Entered['kind'], sql)),
    ...read(
      'event',
      `select at, kind as what from events where (actor_role <> 'system' or kind like 'account.%')
         and kind not in ('account.logged_in', 'account.session_ended', 'account.step_up')`,
    ),
    ...read('event', 'select received_at as at, type as what from provider_events'),
  ]
  return rows.toSorted((a, b) => (a.at < b.at ? -1 : 1))
}
