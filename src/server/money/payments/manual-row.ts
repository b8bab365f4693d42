import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../../db/open.ts'
import { payments } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { addDays, type CalendarDate, dateIn } from '../../../domain/common/dates.ts'
import { fieldError } from '../../../domain/common/errors.ts'
import { middayIn } from '../../../domain/common/zoned-time.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'

type NewRow = Omit<typeof payments.$inferInsert, 'id' | 'status' | 'createdAt'>

/** Adds a succeeded row with its audit event; returns its id. */
export function insertRow(deps: Deps, tx: Tx, actor: Admin, kind: string, row: NewRow): string {
  const at = nowIso(deps)
  const id = randomUUID()
  tx.insert(payments)
    .values({ ...row, id, status: 'succeeded', createdAt: at })
    .run()
  recordEvent(tx, at, actor, kind, id, { amountCents: row.amountCents, type: row.type })
  return id
}

/**
 * A day in the property's time zone as a UTC time; today means now. Tomorrow is allowed, as it may be the caller's
 * today.
 * @throws AppError bad_request for a later day
 */
export function paidOn({ clock, config }: Deps, field: string, date: CalendarDate | undefined): string {
  const now = clock.now()
  const today = dateIn(now, config.site.timeZone)
  if (date === undefined || date === today) return now.toISOString()
  if (date <= addDays(today, 1)) return middayIn(date, config.site.timeZone)
  throw fieldError(field, 'The date of a payment cannot be in the future')
}
