import { expect, test } from 'vitest'
import { testApp, visitor } from '../../testing/test-app.ts'

test('health returns ok with the version, over both tRPC and REST', async () => {
  const app = await testApp()
  const health = await app.as(visitor).site.health()
  expect(health).toMatchObject({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
  const response = await app.http.inject({ url: '/api/health' })
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual(health)
})

test("'today' is the date at the property, regardless of the server's time zone [CONST-03]", async () => {
  const app = await testApp({ env: { PROPERTY_TIMEZONE: 'America/New_York' } })
  app.setNow('2026-03-05T04:30:00.000Z')
  expect((await app.as(visitor).site.get()).site.today).toBe('2026-03-04')
})

test('an unknown /api path returns 404 as JSON [REST-03]', async () => {
  const app = await testApp()
  const response = await app.http.inject({ url: '/api/nowhere' })
  expect(response.statusCode).toBe(404)
  expect(response.json()).toMatchObject({ error: 'Not found' })
})
