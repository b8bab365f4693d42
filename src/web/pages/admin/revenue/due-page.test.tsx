// @vitest-environment dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { storeSignedPlan } from '../../../../testing/build-signed-plan.ts'
import { appOfFile, openScreen } from '../../../../testing/component.tsx'
import { readDueQuery, writeDueQuery } from './due-page.tsx'

const site = appOfFile()

test('stores filter and page in the URL, and ignores invalid parameters [PLAN-35]', () => {
  for (const text of ['', 'state=overdue', 'state=on_its_way&page=3'])
    expect(writeDueQuery(readDueQuery(new URLSearchParams(text))).toString()).toBe(text)
  const read = readDueQuery(new URLSearchParams('state=paid&page=-1'))
  expect(read).toEqual({ state: undefined, page: 1 })
})

// Today is March 4, 2026.
test('begins each row with the guest, says once what is overdue, and has no card for zero [LOOK-85]', async () => {
  const admin = await site.app.makeAdmin()
  const { userId } = await site.app.makeTenant()
  const overdue = {
    userId,
    number: 'APP-2026-0900',
    parts: [
      [1000_00, '2026-02-20'],
      [500_00, '2026-02-25'],
    ] as [number, string][],
  }
  await site.app.deps.write(tx => storeSignedPlan(tx, overdue))
  await openScreen(site.app, '/admin/revenue/due', admin)
  const table = within(await screen.findByRole('table', { name: 'What is due' }))
  const [row] = table.getAllByRole('row').slice(1)
  expect(row?.textContent).toMatch(/^Maya RiversAPP-2026-0900/)
  expect(screen.getAllByRole('term').map(term => term.textContent)).toEqual(['Overdue'])
  expect(screen.queryByRole('region', { name: 'Notices' })).toBeNull()
})
