import { expect, test } from 'vitest'
import { addDays } from '../../domain/common/dates.ts'
import { buildApplication, dates } from '../../testing/build-application.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'
import { sendAndWait, startWorkerProcess } from '../../testing/worker-process.ts'

const refusal = /^These dates overlap application APP-2026-\d{4}, which is booked for /

const startApprover = (app: TestApp, adminId: string) =>
  startWorkerProcess(app, 'approver.ts', { ADMIN_ID: adminId })

test('of two processes that approve overlapping nights simultaneously exactly one succeeds [ADMAPP-22]', async () => {
  const app = await testApp({ env: { RATE_LIMITS: 'off' } })
  const admin = await app.makeAdmin()
  const approvers = await Promise.all([startApprover(app, admin.userId), startApprover(app, admin.userId)])
  try {
    const winners = [0, 0]
    for (let round = 0; round < 40; round++) {
      const start = addDays('2026-04-01', round * 10)
      const tenant = await app.makeTenant()
      const ids: string[] = []
      for (const shift of [0, round % 5]) {
        const stay = dates(addDays(start, shift), addDays(start, shift + 5))
        const { application } = await app.as(tenant).applications.create(buildApplication(stay))
        await app.as(tenant).applications.submit({ id: application.id })
        ids.push(application.id)
      }
      const answers = await Promise.all(approvers.map((child, i) => sendAndWait(child, ids[i] ?? '')))
      const winner = answers.indexOf('approved')
      expect(answers.filter(answer => answer === 'approved')).toHaveLength(1)
      expect(answers[1 - winner]).toMatch(refusal)
      winners[winner] = (winners[winner] ?? 0) + 1
    }
    expect(winners.reduce((sum, count) => sum + count)).toBe(40)
    expect((await app.as(admin).applications.adminCounts()).counts).toMatchObject({
      approved: 40,
      pending: 40,
    })
  } finally {
    for (const child of approvers) child.kill()
  }
}, 60_000)

test('of two simultaneous requests to one process exactly one succeeds, also when a booking is moved', async () => {
  const app = await testApp({ env: { RATE_LIMITS: 'off' } })
  const admin = await app.makeAdmin()
  const asOwner = app.as(admin).applications
  const make = async (start: string, end: string) => {
    const own = app.as(await app.makeTenant()).applications
    return (await own.createAndSubmit(buildApplication(dates(start, end)))).application.id
  }
  for (let round = 0; round < 10; round++) {
    const start = addDays('2026-04-01', round * 20)
    const [a, b, booked] = [
      await make(start, addDays(start, 5)),
      await make(addDays(start, 4), addDays(start, 9)),
      await make(addDays(start, 10), addDays(start, 12)),
    ]
    await asOwner.adminSetStatus({ id: booked, status: 'approved' })
    const outcomes = await Promise.allSettled([
      asOwner.adminSetStatus({ id: a, status: 'approved' }),
      asOwner.adminSetStatus({ id: b, status: 'approved' }),
      asOwner.adminEdit({ id: booked, ...dates(addDays(start, 4), addDays(start, 5)) }),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  }
})
