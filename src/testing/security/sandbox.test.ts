import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPortal, type Portal } from './portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.close())

test.each([
  ['POST', '/v1/checkout/sessions'],
  ['GET', '/v1/checkout/sessions/cs_test_x'],
  ['POST', '/v1/refunds'],
  ['GET', '/sandbox/pay/cs_test_x'],
  ['POST', '/sandbox/pay/cs_test_x'],
  ['GET', '/sandbox/receipts/ch_x'],
  ['GET', '/sandbox/calendar/airbnb.ics?from=2026-06-01'],
  ['GET', '/sandbox/mailbox'],
  ['GET', '/sandbox/mailbox/1'],
] as const)('responds with 404 in production to %s %s', async (method, path) => {
  expect((await portal.call(method, path)).status).toBe(404)
})
