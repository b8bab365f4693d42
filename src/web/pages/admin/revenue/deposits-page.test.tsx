// @vitest-environment dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { dates, makeBooking } from '../../../../testing/build-application.ts'
import { storePayment } from '../../../../testing/build-signed-plan.ts'
import { appOfFile, changeAnswer, openScreen } from '../../../../testing/component.tsx'

const site = appOfFile()

test('a deposit that went back and was lost in a dispute afterwards is among the open ones, not one that is closed [DEP-10, DEP-40]', async () => {
  const { app } = site
  const [admin, tenant] = [await app.makeAdmin(), await app.makeTenant()]
  const { settings } = app.as(admin)
  const body = { amountCents: 500_00, enabled: true, ruleId: 'general', since: '2026-01-01' }
  await settings.deposit.save({ version: 0, body })
  const lost = await makeBooking(app, tenant, admin)
  const closed = await makeBooking(app, tenant, admin, dates('2026-10-01', '2026-10-20'))
  await app.deps.write(tx => {
    for (const { id: applicationId } of [lost, closed]) {
      const of = { applicationId, userId: tenant.userId }
      const isLost = applicationId === lost.id
      storePayment(tx, {
        ...of,
        type: 'deposit',
        method: 'card',
        amountCents: 500_00,
        ...(isLost && { status: 'refunded', refundedAmountCents: 500_00, lostAmountCents: 500_00 }),
      })
      storePayment(tx, { ...of, type: 'deposit_return', amountCents: -500_00 })
    }
  })
  await openScreen(app, '/admin/revenue/deposits', admin)
  const table = within(await screen.findByRole('table', { name: 'Deposits' }))
  const rows = table.getAllByRole('row').slice(1)
  expect(rows.map(row => row.textContent)).toEqual([expect.stringContaining('APP-2026-0001')])
})

test('a deposit that is late can be returned from the list, which says so while nothing is claimed [DEP-15]', async () => {
  const { app } = site
  changeAnswer('deposits.list', data => {
    const [deposit] = data.deposits as object[]
    const late = { hasLeft: true, freeCents: 300_00, state: 'vacated', disputedCents: 0 }
    data.deposits = [
      { applicationId: 'a1', claimedCents: 0, daysLeft: -17 },
      { applicationId: 'a2', claimedCents: 0, daysLeft: 9 },
      { applicationId: 'a3', claimedCents: 200_00, daysLeft: 9 },
    ].map(({ daysLeft, ...of }) => ({
      ...{ ...deposit, ...late, ...of },
      deadline: { kind: 'claim', date: '2026-07-01', daysLeft },
    }))
  })
  await openScreen(app, '/admin/revenue/deposits', await app.makeAdmin())
  const table = within(await screen.findByRole('table', { name: 'Deposits' }))
  const hrefs = table.getAllByRole('link', { name: /^Return/ }).map(link => link.getAttribute('href'))
  expect(hrefs).toEqual(['a1', 'a2'].map(id => expect.stringContaining(`/${id}`)))
  const toDos = table.getAllByText(/^(Return it|Send)/).map(({ textContent }) => textContent)
  expect(toDos).toEqual(['Return it now', 'Return it or send a statement', 'Send the statement'])
})

test('a deposit with a part in dispute cannot be returned from the list, which says that its dates are those of a preset [EVID-28]', async () => {
  const { app } = site
  const rest = { hasLeft: true, freeCents: 300_00, state: 'held' }
  changeAnswer('deposits.list', data => {
    const [deposit] = data.deposits as object[]
    const deadline = { kind: 'rest', date: '2026-07-01', daysLeft: 9 }
    data.deposits = [0, 200_00].map(disputedCents => ({
      ...{ ...deposit, ...rest, deadline, disputedCents },
      applicationId: `a${disputedCents}`,
    }))
  })
  await openScreen(app, '/admin/revenue/deposits', await app.makeAdmin())
  const table = within(await screen.findByRole('table', { name: 'Deposits' }))
  const hrefs = table.getAllByRole('link', { name: /^Return/ }).map(link => link.getAttribute('href'))
  expect(hrefs).toEqual([expect.stringContaining('/a0')])
  expect(screen.getByText(/A preset/).textContent).toBe(
    'Rule General, 30 days. A preset, not reviewed by a lawyer. Days and words are yours to check.',
  )
  screen.getByRole('link', { name: 'General, 30 days' })
})
