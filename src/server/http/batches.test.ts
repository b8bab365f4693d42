import { expect, test } from 'vitest'
import { tokenOf } from '../../testing/build-lease.ts'
import { testApp } from '../../testing/test-app.ts'
import { createLimits } from '../kernel/limits.ts'

/** An app that notes in which turn of the event loop each of ten calls begins. */
async function appWithTurns() {
  let turn = 0
  const begun: number[] = []
  const consume = async () => void begun.push(turn)
  const app = await testApp({ replace: { limits: { ...createLimits(false), consume } } })
  const countTurns = () => {
    turn++
    if (begun.length < 10) setImmediate(countTurns)
  }
  return { app, begun, countTurns: () => void setImmediate(countTurns) }
}

test('starts each call of a batch in a separate turn of the event loop [FIX-19]', async () => {
  const { app, begun, countTurns } = await appWithTurns()
  countTurns()
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
  const { app, begun, countTurns } = await appWithTurns()
  const authorization = `Bearer ${await tokenOf(app, await app.makeTenant())}`
  const owner = app.as(await app.makeAdmin())
  await owner.settings.messages.save({ version: 0, body: { enabled: true } })
  begun.length = 0
  countTurns()
  const download = () => app.http.inject({ url: '/api/message/file/unknown', headers: { authorization } })
  const replies = await Promise.all(Array.from({ length: 10 }, download))
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([404]))
  expect(new Set(begun).size).toBe(10)
})

test('a batch may contain one page of a conversation, because each can be a megabyte [FIX-19]', async () => {
  const app = await testApp()
  const authorization = `Bearer ${await tokenOf(app, await app.makeTenant())}`
  const ask = (calls: string[]) => {
    const input = JSON.stringify(Object.fromEntries(calls.map((_, at) => [at, { applicationId: 'unknown' }])))
    const url = `/trpc/${calls.join(',')}?batch=1&input=${encodeURIComponent(input)}`
    return app.http.inject({ url, headers: { authorization } })
  }
  const reply = await ask(['conversations.thread', 'conversations.unread', 'conversations.thread'])
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({
    error: { message: 'One of these calls can be in a batch only once.' },
  })
  const one = await ask(['conversations.thread', 'conversations.unread'])
  expect(one.json()).toMatchObject([{ result: { data: { thread: null } } }, { result: {} }])
})

test.each(['conversations.thread', 'signing.sign'])(
  'a comma that is encoded twice makes no batch, and any other such path is unknown, too [FIX-19]: %s',
  async call => {
    const app = await testApp()
    for (const path of [
      Array(10).fill(call).join('%252C'),
      `${call}%252C${call}`,
      `${call}%2525`,
      'a%25zz',
    ]) {
      const reply = await app.http.inject({ method: 'POST', url: `/trpc/${path}?batch=1`, payload: {} })
      expect({ path, status: reply.statusCode }).toEqual({ path, status: 404 })
      expect(reply.json()).toMatchObject({ error: { message: 'Not found' } })
    }
  },
)
