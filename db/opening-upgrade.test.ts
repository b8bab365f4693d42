import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { afterThisTest } from '../src/testing/cleanups.ts'
import { databaseBefore } from '../src/testing/old-database.ts'
import { openDatabase } from './open.ts'

test.each([
  ['with a rate', 1],
  ['without anything', 0],
])('upgrading a site %s opens it if it is in use [OPEN-02]', (_, rates) => {
  const folder = mkdtempSync(join(tmpdir(), 'condo-opening-'))
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'portal.sqlite')
  const old = databaseBefore('0024_open_existing_sites', file)
  for (let at = 0; at < rates; at++)
    old.exec(`insert into rates (id, period, start_date, end_date, nightly_cents, weekend_night_cents, weekly_cents,
      monthly_cents, min_stay, is_active, created_at, updated_at)
      values ('r', 'Year', '2026-01-01', '2026-12-31', 1, 1, 1, 1, 1, 1, '', '')`)
  old.close()
  const { close, sqlite } = openDatabase(file)
  const found = sqlite.prepare("select value from settings where key = 'opening'").pluck().get()
  close()
  expect(found).toBe(rates > 0 ? 'open' : undefined)
})
