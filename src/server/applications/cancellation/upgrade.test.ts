import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../../db/open.ts'
import { cancellations } from '../../../../db/schema.ts'
import { afterThisTest } from '../../../testing/cleanups.ts'
import { databaseBefore } from '../../../testing/old-database.ts'

test('stays that were reinstated before the upgrade have their moment from the audit log [BOOK-04]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'condo-reinstated-'))
  afterThisTest(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'portal.sqlite')
  const old = databaseBefore('0040_reinstated_stays', file)
  type Column = { name: string; notnull: number; dflt_value: string | null }
  const insert = (table: string, values: Record<string, string>) => {
    const columns = old.pragma(`table_info(${table})`) as Column[]
    const isNeeded = ({ dflt_value, name, notnull }: Column) =>
      notnull === 1 && dflt_value === null && name !== 'id'
    const needed = columns.filter(isNeeded).map(({ name }) => [name, ''])
    const row = { ...Object.fromEntries(needed), ...values }
    const names = Object.keys(row)
    old
      .prepare(`insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})`)
      .run(Object.values(row))
  }
  const [first, again, second] = ['2026-04-10', '2026-05-05', '2026-06-01'] as const
  insert('users', { id: 'maya' })
  insert('applications', { id: 'booking', user_id: 'maya', additional_guests: '[]' })
  const cancelled = { application_id: 'booking', policy: '[]' }
  insert('cancellations', { ...cancelled, id: 'one', state: 'reinstated', decided_at: first })
  insert('cancellations', { ...cancelled, id: 'two', state: 'cancelled', decided_at: second })
  const event = { subject_id: 'booking', detail: '{}' }
  insert('events', { ...event, at: first, kind: 'application.cancelled' })
  insert('events', { ...event, at: again, kind: 'cancellation.reinstated' })
  old.close()
  const { close, db } = openDatabase(file)
  afterThisTest(close)
  const rows = db.select().from(cancellations).all()
  expect(rows.map(({ id, reinstatedAt }) => [id, reinstatedAt])).toEqual([
    ['one', again],
    ['two', null],
  ])
})
