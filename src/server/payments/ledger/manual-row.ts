import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../../db/open.ts'
import { payments } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/access.ts'
import { addDays, type CalendarDate, dateIn } from '../../../domain/dates.ts'
import { AppError } from '../../../domain/errors.ts'
import { middayIn } from '../../../domain/zoned-time.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'

type NewRow = Omit<typeof payments.$inferInsert, 'id' | 'status' | 'createdAt'>

/** Adds a row of money that has moved already, with its line in the audit log; answers its id. */
export function insertRow(deps: Deps, tx: Tx, actor: Admin, kind: string, row: NewRow): string {
  const at = nowIso(deps)
  const id = randomUUID()
  tx.insert(payments)
    .values({ ...row, id, status: 'succeeded', createdAt: at })
    .run()
  recordEvent(tx, at, actor, kind, id, { amountCents: row.amountCents, type: row.type })
  return id
}

/** A day in the property's time zone as a moment; today is now. A day ahead is let pass, as it is tomorrow elsewhere. */
export function paidOn({ clock, config }: Deps, field: string, date: CalendarDate | undefined): string {
  const now = clock.now()
  const today = dateIn(now, config.site.timeZone)
  if (date === undefined || date === today) return now.toISOString()
  if (date <= addDays(today, 1)) return middayIn(date, config.site.timeZone)
  const sentence = 'The date of a payment cannot be in the future'
  throw new AppError('bad_request', sentence, { fields: { [field]: sentence } })
}
