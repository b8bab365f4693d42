import { sql } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { sequences } from '../../../db/schema.ts'
import type { CalendarDate } from '../../domain/common/dates.ts'

/** The next number, such as `APP-2026-0007`, of the year of `today`; never reused. */
export function nextApplicationNumber(tx: Tx, today: CalendarDate): string {
  const name = `APP-${today.slice(0, 4)}`
  const { lastValue } = tx
    .insert(sequences)
    .values({ name, lastValue: 1 })
    .onConflictDoUpdate({
      target: sequences.name,
      set: { lastValue: sql`${sequences.lastValue} + 1` },
    })
    .returning()
    .get()
  return `${name}-${String(lastValue).padStart(4, '0')}`
}
