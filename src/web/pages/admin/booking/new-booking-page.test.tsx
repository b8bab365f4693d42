// @vitest-environment dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { outbox } from '../../../../../db/schema.ts'
import { buildRate } from '../../../../testing/build-rate.ts'
import { appOfFile, fill, openScreen, press, recordInputs, says } from '../../../../testing/component.tsx'

const site = appOfFile()
const mails = () =>
  site.app.deps.db
    .select()
    .from(outbox)
    .all()
    .flatMap(({ kind, toAddress }) => (kind === 'new-login' ? [] : toAddress))

test('a booking from elsewhere needs dates and a name; its rent comes from the rates, its email only with an invitation [LOOK-60, LOOK-84]', async () => {
  const admin = await site.app.makeAdmin()
  const owner = site.app.as(admin)
  await owner.rates.create(buildRate({ startDate: '2026-01-01', endDate: '2026-12-31', monthly: 3600 }))
  const { user } = await openScreen(site.app, '/admin/booking/new', admin)
  await screen.findByLabelText(/^Arrival/)
  expect(screen.queryByLabelText(/^Email/)).toBeNull()
  const rent = () => screen.getByLabelText<HTMLInputElement>(/^Rent for the stay/).value
  fill({ Arrival: '2026-06-01', Departure: '2026-07-01' })
  await says('Price by your rates$3,600.0030 nights: one month’s rent')
  await waitFor(() => expect(rent()).toBe('3600'))
  expect(screen.getByLabelText<HTMLInputElement>(/^Deposit/).value).toBe('500')
  // They stay owed if no lease is generated.
  await user.click(screen.getByLabelText('Generate the lease'))
  await screen.findAllByText('None when left empty')
  expect([rent(), screen.getByLabelText<HTMLInputElement>(/^Deposit/).value]).toEqual(['3600', '500'])
  await user.click(screen.getByLabelText('Generate the lease'))
  // What the owner enters stays when the dates change.
  fill({ Deposit: '400', Departure: '2026-06-08' })
  await waitFor(() => expect(rent()).toBe('1050'))
  fill({ 'First name': 'Jon', 'Last name': 'Reyes' })
  await user.click(screen.getByLabelText('Invite the guest'))
  const sent = recordInputs('manualBookings.create')
  await press('Add booking')
  await says('Email is required')
  await user.click(screen.getByLabelText('Invite the guest'))
  await press('Add booking')
  await says('Booking entered')
  expect(sent).toMatchObject([{ email: '', invite: false, rentalAmount: 1050, depositAmount: 400 }])
  const [application] = (await owner.applications.adminList()).applications
  expect(application).toMatchObject({
    email: '',
    userId: { email: '' },
    firstName: 'Jon',
    depositAmount: 400,
  })
  // Nothing is mailed to a guest without an address, until the owner adds one.
  const id = application?.id ?? ''
  await owner.applications.adminEdit({ id, email: '', phone: '850-555-0142' })
  await owner.leases.generate({ applicationId: id, rentalAmount: 1000 })
  expect(mails()).toEqual([])
  await owner.manualBookings.invite({ applicationId: id, email: 'jon@guest.example' })
  expect((await owner.applications.adminGet({ id })).application.email).toBe('jon@guest.example')
  expect(mails()).toEqual(['jon@guest.example'])
})

test('a stay that has ended takes the email of its guest, and sends nothing [LOOK-84, OWN-06]', async () => {
  const before = mails().length
  await openScreen(site.app, '/admin/booking/new', await site.app.makeAdmin())
  await screen.findByLabelText(/^Arrival/)
  fill({ Arrival: '2026-01-10', Departure: '2026-03-05', 'First name': 'Ruth', 'Last name': 'Past' })
  expect(screen.queryByLabelText(/^Email/)).toBeNull()
  fill({ Departure: '2026-03-04' })
  await says('The stay has ended: nobody is invited.')
  const sent = recordInputs('manualBookings.create')
  fill({ Email: 'ruth@guest.example' })
  await press('Add booking')
  await says('Booking entered')
  expect(sent).toMatchObject([{ email: 'ruth@guest.example', invite: false }])
  expect(mails()).toHaveLength(before)
})
