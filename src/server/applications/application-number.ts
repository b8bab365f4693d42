import { sql } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { preparedQuery } from '../../../db/prepared.ts'
import { sequences } from '../../../db/schema.ts'
import type { CalendarDate } from '../../domain/common/dates.ts'

const countUp = preparedQuery((tx: Tx) =>
  tx
    .insert(sequences)
    .values({ name: sql.placeholder('name'), lastValue: 1 })
    .onConflictDoUpdate({
      target: sequences.name,
      set: { lastValue: sql`${sequences.lastValue} + 1` },
    })
    .returning()
    .prepare(),
)

/** The next number, such as `APP-2026-0007`, of the year of `today`; never reused. */
export function nextApplicationNumber(tx: Tx, today: CalendarDate): string {
  const name = `APP-${today.slice(0, 4)}`
  const { lastValue } = countUp(tx).get({ name })
  return `${name}-${String(lastValue).padStart(4, '0')}`
}
