import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, propertySettings } from '../../../db/schema.ts'
import { requireAdmin } from '../../domain/accounts/access.ts'
import { bookingRulesSection } from '../../domain/bookings/booking-rules-form.ts'
import { calendarSection } from '../../domain/content/settings-section.ts'
import { call, signUpAdmin } from '../../testing/build-account.ts'
import { testApp } from '../../testing/test-app.ts'
import { readSection, saveSection } from './settings.ts'

const defaults = {
  stayLength: false,
  leadDays: null,
  windowDays: null,
  arrivalWeekdays: null,
  maxGuests: null,
}

async function owner() {
  const app = await testApp()
  const admin = requireAdmin(await app.makeAdmin({ email: 'owner@condo.example' }))
  return { app, admin, rules: app.as(admin).settings.bookingRules }
}

test('a section has version 0 and its defaults until it is saved; each save increments the version [RULE-01]', async () => {
  const { app, admin, rules } = await owner()
  expect(await rules.get()).toEqual({ version: 0, body: defaults })
  expect(await rules.save({ version: 0, body: { leadDays: 7, arrivalWeekdays: [6, 5] } })).toEqual({
    version: 1,
    body: { ...defaults, leadDays: 7, arrivalWeekdays: [6, 5] },
  })
  // Fields that a save leaves out get their defaults.
  expect(await rules.save({ version: 1, body: { maxGuests: 2 } })).toEqual({
    version: 2,
    body: { ...defaults, maxGuests: 2 },
  })
  expect(await rules.get()).toEqual({ version: 2, body: { ...defaults, maxGuests: 2 } })
  const told = app.deps.db.select().from(events).where(eq(events.kind, 'setup.saved')).all()
  expect(told).toMatchObject([
    { subjectId: 'booking-rules', actorId: admin.userId, detail: { version: 1 } },
    { subjectId: 'booking-rules', detail: { version: 2, body: expect.stringContaining('"maxGuests":2') } },
  ])
})

test('returns errors by paths such as `body.leadDays`, and saves nothing [RULE-02]', async () => {
  const { app, rules } = await owner()
  const wrong = { leadDays: 400, windowDays: 0, arrivalWeekdays: [], maxGuests: 5 }
  const { token } = await signUpAdmin(app, 'desk@condo.example')
  const save = (body: unknown) => call(app, 'PUT', '/api/setup/admin/booking-rules', { token, body })
  const named = async (body: unknown) => {
    const answer = await save(body)
    expect(answer.status).toBe(400)
    return Object.keys(answer.body.fields)
  }
  expect(await named({ version: 0, body: wrong })).toEqual([
    'body.leadDays',
    'body.windowDays',
    'body.arrivalWeekdays',
    'body.maxGuests',
  ])
  expect(await named({ version: 0, body: { leadDays: 31, windowDays: 30 } })).toEqual(['body.windowDays'])
  expect(await named({ body: {} })).toEqual(['version'])
  expect(await named({ version: 0 })).toEqual(['body'])
  expect((await rules.get()).version).toBe(0)
  expect(app.deps.db.select().from(propertySettings).all()).toEqual([])
})

test('rejects a save over a stale version, with who saved last and the stored values [RULE-02]', async () => {
  const { app, rules } = await owner()
  await rules.save({ version: 0, body: { stayLength: true, leadDays: 7, arrivalWeekdays: [5, 6] } })
  const stale = rules.save({ version: 0, body: { leadDays: 9, maxGuests: null } })
  await expect(stale).rejects.toMatchObject({
    code: 'CONFLICT',
    message:
      'These settings were changed in the meantime by owner@condo.example. Please load them and make your change again.',
    cause: {
      fields: {
        'body.stayLength': 'Saved in the meantime: on',
        'body.leadDays': 'Saved in the meantime: 7',
        'body.arrivalWeekdays': 'Saved in the meantime: 5, 6',
      },
    },
  })
  // A version that does not exist yet.
  await expect(rules.save({ version: 5, body: {} })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(app.deps.db.select().from(propertySettings).all()).toMatchObject([{ version: 1 }])
})

test('of two simultaneous saves over one version, one succeeds and the other is rejected [RULE-02]', async () => {
  const { rules } = await owner()
  await rules.save({ version: 0, body: {} })
  const both = await Promise.allSettled([
    rules.save({ version: 1, body: { leadDays: 3 } }),
    rules.save({ version: 1, body: { leadDays: 5 } }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const stored = await rules.get()
  expect(both).toContainEqual({ status: 'fulfilled', value: stored })
  expect(stored.version).toBe(2)
})

test('sections are independent, and a stored section without a new field gets its default', async () => {
  const { app, admin } = await owner()
  const { deps } = app
  await saveSection(deps, admin, calendarSection, { version: 0, body: { turnoverNights: 2 } })
  expect(readSection(deps.db, bookingRulesSection).version).toBe(0)
  const older = { section: 'booking-rules', body: { leadDays: 4, gone: 1 }, version: 7 }
  await deps.write(tx =>
    tx
      .insert(propertySettings)
      .values({ ...older, updatedAt: deps.clock.now().toISOString(), updatedBy: admin.userId })
      .run(),
  )
  expect(readSection(deps.db, bookingRulesSection)).toEqual({
    version: 7,
    body: { ...defaults, leadDays: 4 },
  })
})
