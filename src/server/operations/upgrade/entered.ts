import type { Sqlite } from '../../../../db/open.ts'
import { emailChanges } from '../../../../db/schema.ts'

export type Entered = { kind: string; at: string; what: string }

const canceledAt = emailChanges.cancelledAt.name

/**
 * By kind, what the database has and `former` has not. Only what people do without an event needs a line of its own. The
 * clock decides nothing: it may have been ahead when the copy was made.
 */
const sources = {
  application: `select created_at as at, number || ' ' || first_name || ' ' || last_name as what
    from applications where id not in (select id from former.applications)`,
  lease: `select l.generated_at as at, a.number as what from leases l join applications a on a.id = l.application_id
    where l.id not in (select id from former.leases)`,
  payment: `select p.created_at as at, coalesce(a.number, '') || ' ' || p.method || ' ' || p.status || ' ' ||
      printf('%.2f', p.amount_cents / 100.0) as what
    from payments p left join applications a on a.id = coalesce(p.application_id, p.former_application_id)
    where p.id not in (select id from former.payments)`,
  'unpublished text': `select updated_at as at, section as what from content_sections
    where (section, version) not in (select section, version from former.content_sections)`,
  message: `select created_at as at, coalesce(reply_to, '') as what from outbox
    where kind = 'contact-message' and status <> 'sent' and id not in (select id from former.outbox)`,
  'email change': `select created_at as at, old_email || ' ' || new_email as what from email_changes
    where (id, confirmed_old_at is null, confirmed_new_at is null, ${canceledAt} is null) not in
      (select id, confirmed_old_at is null, confirmed_new_at is null, ${canceledAt} is null from former.email_changes)`,
  event: `select at, kind as what from events
      where id > (select coalesce(max(id), 0) from former.events) and (actor_role <> 'system' or kind like 'account.%')
        and kind not in ('account.logged_in', 'account.session_ended', 'account.step_up')
    union all select received_at as at, type as what from provider_events
      where id not in (select id from former.provider_events)`,
}

/** What was entered since a copy of the database was made, oldest first: what going back to it would lose (INST-38). */
export function enteredSince(sqlite: Sqlite, copy: string): Entered[] {
  sqlite.prepare('attach ? as former').run(copy)
  try {
    // The copy may be from before there were any.
    const hasMessages = sqlite.prepare("select 1 from former.sqlite_master where name = 'messages'").get()
    const isNew = hasMessages ? 'where m.id not in (select id from former.messages)' : ''
    const written = `select m.created_at as at, a.number as what from messages m
      join applications a on a.id = m.application_id ${isNew}`
    return Object.entries({ ...sources, 'guest message': written })
      .flatMap(([kind, sql]) =>
        (sqlite.prepare(sql).all() as Omit<Entered, 'kind'>[]).map(row => ({ kind, ...row })),
      )
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
  } finally {
    sqlite.exec('detach former')
  }
}
