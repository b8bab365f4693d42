// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { dates, makeBooking, makePending } from '../../../../testing/build-application.ts'
import { buildManualPayment } from '../../../../testing/build-payment.ts'
import { appOfFile, openScreen, press, says } from '../../../../testing/component.tsx'

const site = appOfFile()

test('bulk confirmations mention nights and payments only if there are any, and a changed status is not overwritten [LOOK-07, FIX-16]', async () => {
  const admin = await site.app.makeAdmin()
  const owner = site.app.as(admin)
  const tenant = await site.app.makeTenant()
  const pending = await makePending(site.app, tenant)
  const booked = await makeBooking(site.app, tenant, admin, dates('2027-06-01', '2027-07-01'))
  const { user } = await openScreen(site.app, '/admin/dashboard', admin)
  const row = (number: string) =>
    waitFor(() => {
      const found = screen.getAllByRole('row').find(({ textContent }) => textContent.includes(number))
      return within(found as HTMLElement)
    })
  const select = async (number: string) => user.click((await row(number)).getByRole('checkbox'))
  const asks = async (name: string, says: string[], omits: string[]) => {
    await press(name)
    const question = await screen.findByRole('alertdialog')
    for (const text of says) expect(question.textContent).toContain(text)
    for (const text of omits) expect(question.textContent).not.toContain(text)
    await press('Cancel', within(question))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  }
  const nights = 'nights they hold become free at once'
  await select(pending.applicationNumber)
  for (const name of ['Decline', 'Delete']) await asks(name, [], ['nights', 'payments stay', 'not refunded'])
  await select(booked.applicationNumber)
  for (const name of ['Decline', 'Delete']) await asks(name, [nights], ['payments stay', 'not refunded'])

  await asks('Approve', [], ['booked again'])
  await press('Approve')
  await owner.applications.adminSetStatus({ id: pending.id, status: 'rejected' })
  await press('Approve 2 applications')
  await says('This application has changed meanwhile')
  await user.keyboard('{Escape}')

  await owner.payments.addManual(buildManualPayment(booked.id))
  await openScreen(site.app, '/admin/dashboard', admin)
  await select(booked.applicationNumber)
  await asks('Decline', ['This does not refund'], [])
  await asks('Delete', ['payments stay in the ledger'], [])
  await select(pending.applicationNumber)
  await asks('Approve', ['Declined and cancelled ones are booked again'], [])
})
