import { expect, test } from 'vitest'
import { tokenOf } from '../../testing/build-lease.ts'
import { testApp } from '../../testing/test-app.ts'
import { createLimits } from '../kernel/limits.ts'

test('starts each call of a batch in a separate turn of the event loop [FIX-19]', async () => {
  let turn = 0
  const begun: number[] = []
  const limits = {
    ...createLimits(false),
    consume: async () => {
      begun.push(turn)
    },
  }
  const app = await testApp({ replace: { limits } })
  const count = () => {
    turn++
    if (begun.length < 10) setImmediate(count)
  }
  setImmediate(count)
  const forms = Array.from({ length: 10 }, (_, at) => [at, { email: '', password: '' }])
  const reply = await app.http.inject({
    method: 'POST',
    url: `/trpc/${Array(10).fill('accounts.login').join(',')}?batch=1`,
    payload: Object.fromEntries(forms),
  })
  expect(reply.json()).toHaveLength(10)
  expect(new Set(begun).size).toBe(10)
})

test('starts each download of a person in a separate turn of the event loop [FIX-19]', async () => {
  let turn = 0
  const begun: number[] = []
  const limits = {
    ...createLimits(false),
    consume: async () => {
      begun.push(turn)
    },
  }
  const app = await testApp({ replace: { limits } })
  const authorization = `Bearer ${await tokenOf(app, await app.makeTenant())}`
  const count = () => {
    turn++
    if (begun.length < 10) setImmediate(count)
  }
  setImmediate(count)
  const download = () => app.http.inject({ url: '/api/message/file/unknown', headers: { authorization } })
  const replies = await Promise.all(Array.from({ length: 10 }, download))
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([404]))
  expect(new Set(begun).size).toBe(10)
})
