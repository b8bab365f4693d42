// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { dates, makeBooking } from '../../../../testing/build-application.ts'
import { appOfFile, onCall, openScreen } from '../../../../testing/component.tsx'

const site = appOfFile()

test('the dashboard says that it is loading until the tasks are there', async () => {
  await openScreen(site.app, '/admin/rates', await site.app.makeAdmin())
  const held = Promise.withResolvers<void>()
  onCall('notices.ownerDay', async send => {
    await held.promise
    return send()
  })
  const [link] = await screen.findAllByRole('link', { name: 'Dashboard' })
  link?.click()
  await screen.findByText('Loading today’s tasks...')
  held.resolve()
  await waitFor(() => expect(screen.queryByText('Loading today’s tasks...')).toBeNull())
})

test('a rent says whether it is for a month or for all nights [LOOK-60]', async () => {
  const { app } = site
  const [admin, tenant] = [await app.makeAdmin(), await app.makeTenant()]
  const stays = [dates('2027-03-01', '2027-05-01'), dates('2027-06-01', '2027-06-08')]
  for (const stay of stays) {
    const { id, ...booked } = await makeBooking(app, tenant, admin, stay)
    await app.as(admin).leases.generate({
      applicationId: id,
      leaseStartDate: booked.requestedStartDate,
      leaseEndDate: booked.requestedEndDate,
      rentalAmount: 600,
    })
  }
  await openScreen(app, '/admin/dashboard', admin)
  const table = within(await screen.findByRole('table', { name: 'Applications' }))
  table.getByRole('cell', { name: '$600.00 per stay' })
  table.getByRole('cell', { name: '$600.00 per month' })
})
