import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { applications, events, outbox } from '../../../db/schema.ts'
import { buildApplication, dates, makeBooking, makePending } from '../../testing/build-application.ts'
import { storeSignedLease } from '../../testing/build-lease.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'

const mails = (app: TestApp) =>
  app.deps.db.select({ kind: outbox.kind, to: outbox.toAddress, props: outbox.props }).from(outbox).all()
const count = (app: TestApp) => app.deps.db.select().from(applications).all().length

describe('applying', () => {
  test('a draft becomes pending once, with mails to tenant and owner; a second submit changes nothing [STATUS-06]', async () => {
    const app = await testApp()
    const tenant = await app.makeTenant({ email: 'Maya@guest.example' })
    const { application } = await app.as(tenant).applications.create(buildApplication())
    expect(application).toMatchObject({ status: 'draft', submittedAt: null, email: 'Maya@guest.example' })
    expect(mails(app)).toEqual([])

    const { id } = application
    app.advance(60_000)
    const submitted = (await app.as(tenant).applications.submit({ id })).application
    expect(submitted).toMatchObject({ status: 'pending', submittedAt: '2026-03-04T17:01:00.000Z' })
    app.advance(60_000)
    expect((await app.as(tenant).applications.submit({ id })).application).toEqual(submitted)
    expect(mails(app)).toMatchObject([
      { kind: 'application-received', to: 'Maya@guest.example', props: { applicationId: id } },
      { kind: 'owner-new-application', to: 'owner@condo.example', props: { applicantName: 'Maya Rivers' } },
    ])
  })

  test('numbers count up per year in the time zone of the property, including drafts [STATUS-07]', async () => {
    const app = await testApp({ env: { PROPERTY_TIMEZONE: 'America/New_York' } })
    const tenant = await app.makeTenant()
    const number = async (overrides = {}) =>
      (await app.as(tenant).applications.create(buildApplication(overrides))).application.applicationNumber
    expect([await number(), await number()]).toEqual(['APP-2026-0001', 'APP-2026-0002'])
    app.setNow('2027-01-01T04:59:00.000Z')
    const later = dates('2027-06-01', '2027-07-01')
    expect(await number(later)).toBe('APP-2026-0003')
    app.setNow('2027-01-01T05:00:00.000Z')
    expect(await number(later)).toBe('APP-2027-0001')
  })

  test('twenty simultaneous applications get twenty numbers [STATUS-07]', async () => {
    const app = await testApp()
    const tenants = await Promise.all(Array.from({ length: 20 }, () => app.makeTenant()))
    const made = await Promise.all(
      tenants.map(tenant => app.as(tenant).applications.create(buildApplication())),
    )
    const numbers = made.map(({ application }) => application.applicationNumber).sort()
    expect(new Set(numbers).size).toBe(20)
    expect(numbers.at(-1)).toBe('APP-2026-0020')
  })

  test('the form creates and submits in one transaction: an error leaves nothing behind [FORM-31, FORM-36]', async () => {
    const app = await testApp()
    const [tenant, other, admin] = [await app.makeTenant(), await app.makeTenant(), await app.makeAdmin()]
    await makeBooking(app, other, admin, dates('2026-06-10', '2026-06-12'))
    await app.as(admin).availability.setDates({ dates: ['2026-06-20'], isAvailable: false })
    const before = mails(app).length

    const send = app
      .as(tenant)
      .applications.createAndSubmit(buildApplication(dates('2026-06-01', '2026-07-01')))
    await expect(send).rejects.toThrow(
      'These dates are no longer available: Jun 10, 2026 to Jun 11, 2026, Jun 20, 2026',
    )
    expect(count(app)).toBe(1)
    expect(mails(app)).toHaveLength(before)
    // A stay is half-open: arriving on the day of a departure and leaving on the day of an arrival is fine. [CONST-04]
    await makePending(app, tenant, dates('2026-06-12', '2026-06-20'))
    await makePending(app, tenant, dates('2026-06-08', '2026-06-10'))
    expect(count(app)).toBe(3)
  })

  test('submitting twice creates one application', async () => {
    const app = await testApp()
    const [tenant, other] = [await app.makeTenant(), await app.makeTenant()]
    const requestId = crypto.randomUUID()
    const send = (actor = tenant) =>
      app.as(actor).applications.createAndSubmit({ ...buildApplication(), requestId })
    const [first, second] = await Promise.all([send(), send()])
    expect(second).toEqual(first)
    expect(await send()).toEqual(first)
    expect(count(app)).toBe(1)
    expect(mails(app)).toHaveLength(2)
    // Request ids are per tenant: another tenant with the same id gets a separate application.
    expect((await send(other)).application.id).not.toBe(first.application.id)
  })

  test('rejects a start before today at the property, also for an old draft [FORM-35, CONST-03]', async () => {
    const app = await testApp({ env: { PROPERTY_TIMEZONE: 'America/New_York' } })
    const tenant = await app.makeTenant()
    app.setNow('2026-06-02T03:59:00.000Z')
    const { application } = await app.as(tenant).applications.create(buildApplication())
    app.setNow('2026-06-02T04:00:00.000Z')
    await expect(app.as(tenant).applications.submit({ id: application.id })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The start date cannot be in the past',
    })
    await expect(app.as(tenant).applications.create(buildApplication())).rejects.toThrow('in the past')
    expect((await app.as(tenant).applications.get({ id: application.id })).application.status).toBe('draft')
  })
})

describe("a tenant's applications", () => {
  test('are their own only, newest first [DASH-04]', async () => {
    const app = await testApp()
    const [tenant, other] = [await app.makeTenant(), await app.makeTenant()]
    expect(await app.as(tenant).applications.status()).toEqual({ hasApplications: false, applications: [] })
    const first = await makePending(app, tenant)
    const sameMoment = await makePending(app, tenant)
    app.advance(1)
    const newest = await makePending(app, tenant)
    await makePending(app, other)
    const { hasApplications, applications } = await app.as(tenant).applications.status()
    expect(hasApplications).toBe(true)
    expect(applications.map(({ id }) => id)).toEqual([newest.id, sameMoment.id, first.id])
  })

  test('can be edited: names, phone, address and co-applicant, and nothing else [DETAIL-07]', async () => {
    const app = await testApp()
    const tenant = await app.makeTenant()
    const pending = await makePending(app, tenant)
    const address = { street: '1 Oak Ave', city: 'Troy', state: 'NY', zipCode: '12180-1234' }
    const edit = buildApplication({
      firstName: 'Mia',
      phone: '5551234567',
      address,
      ...dates('2026-09-01', '2026-09-09'),
    })
    const others = {
      additionalGuests: [{ firstName: 'Leo', lastName: 'Reed' }],
      status: 'approved',
      email: 'new@guest.example',
      rentalAmount: 1,
    }
    const { application } = await app.as(tenant).applications.update({
      ...edit,
      secondApplicantFirstName: 'Ben',
      secondApplicantLastName: 'Jones',
      id: pending.id,
      ...others,
    })
    expect(application).toEqual({
      ...pending,
      firstName: 'Mia',
      phone: '5551234567',
      address,
      secondApplicantFirstName: 'Ben',
      secondApplicantLastName: 'Jones',
      guestCount: 2,
    })
  })

  test('a signed lease locks the names, but not phone and address [DETAIL-11]', async () => {
    const app = await testApp()
    const tenant = await app.makeTenant()
    const { id } = await makePending(app, tenant)
    await storeSignedLease(app, id, '2026-03-04T18:00:00.000Z')
    const update = (overrides = {}) =>
      app.as(tenant).applications.update({ ...buildApplication(overrides), id })
    for (const overrides of [
      { firstName: 'Mia' },
      { lastName: 'Reed' },
      { secondApplicantFirstName: 'Ben', secondApplicantLastName: 'Jones' },
    ])
      await expect(update(overrides)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'The lease is signed. Delete it to change its terms.',
      })
    expect((await update({ phone: '5551234567' })).application).toMatchObject({
      firstName: 'Maya',
      phone: '5551234567',
    })
  })

  test('can be withdrawn until approved; the owner is mailed once', async () => {
    const app = await testApp()
    const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
    const { id } = await makePending(app, tenant)
    await app.as(admin).applications.adminEdit({ id, notes: 'Asked for a crib.' })
    const withdrawn = await app.as(tenant).applications.withdraw({ id })
    expect(withdrawn.application).toMatchObject({
      status: 'rejected',
      notes: 'Asked for a crib.\nWithdrawn by the applicant',
    })
    expect(await app.as(tenant).applications.withdraw({ id })).toEqual(withdrawn)
    expect(mails(app).filter(mail => mail.kind === 'owner-withdrawn')).toHaveLength(1)

    const booked = await makeBooking(app, tenant, admin)
    await expect(app.as(tenant).applications.withdraw({ id: booked.id })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    const draft = (await app.as(tenant).applications.create(buildApplication())).application
    expect((await app.as(tenant).applications.withdraw({ id: draft.id })).application.status).toBe('rejected')
    expect(mails(app).filter(mail => mail.kind === 'owner-withdrawn')).toHaveLength(1)
  })

  test('every change is in the audit log, with who and from where', async () => {
    const app = await testApp()
    const tenant = await app.makeTenant()
    const { id } = await makePending(app, tenant)
    await app.as(tenant).applications.withdraw({ id })
    const log = app.deps.db.select().from(events).where(eq(events.subjectId, id)).all()
    expect(log.map(event => event.kind)).toEqual([
      'application.created',
      'application.submitted',
      'application.withdrawn',
    ])
    for (const event of log)
      expect(event).toMatchObject({ actorRole: 'tenant', actorId: tenant.userId, address: '203.0.113.7' })
  })
})
