// @vitest-environment dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { dates, makeBooking } from '../../../../testing/build-application.ts'
import { storeSignedPlan } from '../../../../testing/build-signed-plan.ts'
import { appOfFile, openScreen, says } from '../../../../testing/component.tsx'
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
  expect(document.body.textContent).not.toContain('Not in this list')
})

test('the list and the line below it add up to ’To receive’ on the dashboard [PLAN-35, LOOK-83]', async () => {
  const admin = await site.app.makeAdmin()
  const stay = dates('2026-09-01', '2026-10-01')
  const { id } = await makeBooking(site.app, await site.app.makeTenant(), admin, stay)
  await site.app.as(admin).leases.generate({ applicationId: id, rentalAmount: 1200, depositAmount: 500 })
  await openScreen(site.app, '/admin/revenue/due', admin)
  await says('Overdue$1,500.00')
  await says('Not in this list: $1,700.00 that is due later, waits for a signature or has no payment plan.')
  await openScreen(site.app, '/admin/dashboard', admin)
  await says('To receive$3,200.00')
})
