import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications, outbox } from '../../../db/schema.ts'
import {
  tooManyDraftsMessage,
  tooManyPendingMessage,
  tooManyUnbookedMessage,
} from '../../domain/bookings/application.ts'
import { dayMs } from '../../domain/common/durations.ts'
import { signUp } from '../../testing/build-account.ts'
import { buildApplication, dates } from '../../testing/build-application.ts'
import { mailsOf, proveMailbox } from '../../testing/build-factor.ts'
import { type TestApp, testApp, testOrigin } from '../../testing/test-app.ts'
import { startMailWorker } from '../mail/worker.ts'
import { mailSources } from '../mail-sources.ts'

const victim = 'victim@mailbox.example'
const words = 'you have won $500, claim it at evil.example'
const form = (firstName = words) => buildApplication({ ...dates('2027-06-01', '2027-07-01'), firstName })
const from = (address: string) => ({ ...testOrigin, address })

/** A stranger's own account and calls, by default from the same network address. */
async function stranger(app: TestApp, email: string, address = '192.0.2.7') {
  const { user } = await signUp(app, { email })
  const actor = { role: 'tenant' as const, userId: user.id, requestOrigin: from(address) }
  return { actor, apply: (firstName?: string) => app.as(actor).applications.createAndSubmit(form(firstName)) }
}

async function delivered(app: TestApp, to: string) {
  const worker = startMailWorker(app.deps, mailSources)
  await worker.deliverDue()
  await worker.stop()
  return app.sentMails.filter(mail => mail.to === to)
}

test('a mailbox that nobody proved gets one mail a day about applications, without the typed name [FIX-27]', async () => {
  const app = await testApp()
  const { actor, apply } = await stranger(app, victim)
  for (let count = 0; count < 3; count++) await apply()
  const [mail, ...others] = await delivered(app, victim)
  expect(others).toEqual([])
  expect(mail?.text).toContain('Hello,')
  expect(JSON.stringify(mail)).not.toContain('evil.example')

  app.advance(dayMs)
  await apply()
  await app.as(await app.makeAdmin()).applications.adminSetStatus({
    id: app.deps.db.select().from(applications).get()?.id ?? '',
    status: 'approved',
  })
  const later = await delivered(app, victim)
  expect(later).toHaveLength(3)
  expect(JSON.stringify(later)).not.toContain('evil.example')

  await proveMailbox(app, actor)
  for (let count = 0; count < 2; count++)
    await app
      .as(actor)
      .applications.createAndSubmit({ ...form('Maya'), ...dates('2027-08-01', '2027-09-01') })
  const proven = (await delivered(app, victim)).slice(3)
  expect(proven.filter(({ text }) => text.includes('Hello Maya,'))).toHaveLength(2)
})

test('an account has at most ten pending applications [FIX-27]', async () => {
  const app = await testApp({ env: { RATE_LIMITS: 'off' } })
  const { actor, apply } = await stranger(app, victim)
  for (let count = 0; count < 10; count++) await apply()
  await expect(apply()).rejects.toThrow(tooManyPendingMessage)
  const [first] = app.deps.db.select().from(applications).all()
  await app.as(actor).applications.withdraw({ id: first?.id ?? '' })
  await apply()
})

test('an account has at most ten drafts and a hundred applications that are not booked, which its screens load at once [FIX-27]', async () => {
  const app = await testApp({ env: { RATE_LIMITS: 'off' } })
  const { actor, apply } = await stranger(app, victim)
  const { create, submit, withdraw } = app.as(actor).applications
  for (let drafts = 0; drafts < 10; drafts++) await create(form())
  await expect(create(form())).rejects.toThrow(tooManyDraftsMessage)
  const [row] = app.deps.db.select().from(applications).all()
  if (!row) throw new Error('no application')
  await submit({ id: row.id })
  await withdraw({ id: (await create(form())).application.id })
  const declined = Array.from({ length: 88 }, (_, at) => ({
    ...row,
    id: `declined ${at}`,
    number: `N-${at}`,
  }))
  await app.deps.write(tx =>
    tx
      .insert(applications)
      .values(declined.map(each => ({ ...each, status: 'rejected' as const })))
      .run(),
  )
  await apply()
  for (const again of [() => create(form()), apply])
    await expect(again()).rejects.toThrow(tooManyUnbookedMessage)
  await app.as(await app.makeAdmin()).applications.adminSetStatus({ id: row.id, status: 'approved' })
  await create({ ...form(), ...dates('2027-09-01', '2027-10-01') })
})

test('a network address creates at most twenty applications an hour, with any number of accounts [FIX-27]', async () => {
  const app = await testApp()
  for (let account = 0; account < 4; account++) {
    const { apply } = await stranger(app, `v${account}@mailbox.example`)
    for (let count = 0; count < 5; count++) await apply()
  }
  const { actor, apply } = await stranger(app, victim)
  await expect(apply()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  await expect(app.as(actor).applications.create(form())).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  const elsewhere = { ...actor, requestOrigin: from('198.51.100.9') }
  await app.as(elsewhere).applications.create(form())
})

test('the owner gets at most fifty mails a day about new applications, and the last one says so [FIX-27]', async () => {
  const app = await testApp({ env: { RATE_LIMITS: 'off' } })
  const apply = async () => {
    const tenant = app.as(await app.makeTenant())
    for (let count = 0; count < 9; count++) await tenant.applications.createAndSubmit(form('Maya'))
  }
  for (let account = 0; account < 6; account++) await apply()
  const mails = mailsOf(app, 'owner-new-application')
  expect(mails).toHaveLength(50)
  expect(mails.map(({ props }) => props.isLastOfDay ?? false)).toEqual([...Array(49).fill(false), true])
  const sent = await delivered(app, mails[0]?.toAddress ?? '')
  expect(sent.filter(({ text }) => text.includes('the next ones are left out'))).toHaveLength(1)

  app.advance(dayMs)
  await apply()
  const kind = eq(outbox.kind, 'owner-new-application')
  expect(app.deps.db.select().from(outbox).where(kind).all()).toHaveLength(59)
})

test('mails from a time when the clock was ahead do not count [FIX-27]', async () => {
  const app = await testApp({ env: { RATE_LIMITS: 'off' } })
  app.advance(365 * dayMs)
  for (let account = 0; account < 6; account++) {
    const tenant = app.as(await app.makeTenant())
    for (let count = 0; count < 9; count++) await tenant.applications.createAndSubmit(form('Maya'))
  }
  app.advance(-365 * dayMs)
  await app.as(await app.makeTenant()).applications.createAndSubmit(form('Maya'))
  expect(mailsOf(app, 'owner-new-application')).toHaveLength(51)
})
