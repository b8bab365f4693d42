import { expect, test } from 'vitest'
import { buildApplication, dates } from '../../testing/build-application.ts'
import { buildContent } from '../../testing/build-content.ts'
import { buildEntry } from '../../testing/build-entry.ts'
import { publishContent } from '../../testing/site-pages.ts'
import { testApp } from '../../testing/test-app.ts'

const guests = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ firstName: `Leo${'x'.repeat(at)}`, lastName: 'Reed' }))
const people = (count: number, month: string) =>
  buildApplication({ ...dates(`2027-${month}-01`, `2027-${month}-20`), additionalGuests: guests(count - 1) })

test('the published facts set the guest limit of forms, entries, quotes and booking rules [SITE-14]', async () => {
  const app = await testApp()
  const [tenant, admin] = [app.as(await app.makeTenant()), app.as(await app.makeAdmin())]
  const sleeps = (count: number) => publishContent(app, { facts: { ...buildContent().facts, sleeps: count } })
  const four = { fields: { additionalGuests: 'The condo sleeps 4 people, applicants included' } }
  const create = tenant.applications.create(people(5, '01'))
  await expect(create).rejects.toMatchObject({ code: 'BAD_REQUEST', cause: expect.anything() })
  // A number above the schema's maximum gets the same message.
  await expect(tenant.applications.create(people(31, '01'))).rejects.toMatchObject({
    cause: { issues: [{ path: ['additionalGuests'], message: four.fields.additionalGuests }] },
  })
  const refused = await app.http.inject({
    method: 'GET',
    url: '/api/charge/quote?startDate=2027-01-01&endDate=2027-01-08&guests=5',
  })
  expect(refused.json().fields).toEqual({ guests: 'Please enter a whole number of guests from 1 to 4' })

  await sleeps(25)
  const { application: large } = await tenant.applications.createAndSubmit(people(25, '02'))
  const { application: draft } = await tenant.applications.create(people(6, '03'))
  await admin.settings.bookingRules.save({ version: 0, body: { maxGuests: 25 } })
  const entry = {
    ...buildEntry({ startDate: '2028-06-01', endDate: '2028-06-20' }),
    additionalGuests: guests(5),
  }
  const { application: entered } = await admin.manualBookings.create(entry)
  expect(entered.guestCount).toBe(6)

  await sleeps(4)
  // A submitted application above the limit can be edited, approved and put into a lease, but not enlarged.
  const { application: edited } = await admin.applications.adminEdit({ id: large.id, firstName: 'Zoe' })
  expect(edited.guestCount).toBe(25)
  const grown = admin.applications.adminEdit({ id: entered.id, additionalGuests: guests(6) })
  await expect(grown).rejects.toMatchObject({ cause: four })
  const huge = admin.applications.adminEdit({ id: entered.id, additionalGuests: guests(30) })
  await expect(huge).rejects.toMatchObject({ cause: four })
  await admin.applications.adminSetStatus({ id: large.id, status: 'approved' })
  const { leaseAgreement } = await admin.leases.generate({ applicationId: large.id })
  expect(leaseAgreement).toContain('25 people in all')
  // A draft above the limit cannot be submitted.
  await expect(tenant.applications.submit({ id: draft.id })).rejects.toMatchObject({ cause: four })
  await expect(admin.settings.bookingRules.save({ version: 1, body: { maxGuests: 5 } })).rejects.toThrow(
    '1 to 4',
  )
  await expect(admin.manualBookings.create(entry)).rejects.toThrow(four.fields.additionalGuests)
  expect((await tenant.site.get()).site.guestLimit).toBe(4)
})
