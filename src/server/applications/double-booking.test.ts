import { expect, test } from 'vitest'
import { addDays } from '../../domain/common/dates.ts'
import { buildApplication, dates } from '../../testing/build-application.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'
import { sendAndWait, startWorkerProcess } from '../../testing/worker-process.ts'

const refusal = /^These dates overlap application APP-2026-\d{4}, which is booked for /

const rounds = 12

const startApprover = (app: TestApp, adminId: string) =>
  startWorkerProcess(app, 'approver.ts', { ADMIN_ID: adminId })

test('of two processes that approve overlapping nights simultaneously exactly one succeeds [ADMAPP-22]', async () => {
  const app = await testApp({ env: { RATE_LIMITS: 'off' } })
  const admin = await app.makeAdmin()
  const approvers = await Promise.all([startApprover(app, admin.userId), startApprover(app, admin.userId)])
  try {
    const winners = [0, 0]
    for (let round = 0; round < rounds; round++) {
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
    expect(winners.reduce((sum, count) => sum + count)).toBe(rounds)
    expect((await app.as(admin).applications.adminCounts()).counts).toMatchObject({
      approved: rounds,
      pending: rounds,
    })
  } finally {
    for (const child of approvers) child.kill()
  }
}, 60_000)
