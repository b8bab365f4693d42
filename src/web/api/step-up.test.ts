import { getUntypedClient } from '@trpc/client'
import { afterEach, expect, test, vi } from 'vitest'
import { createApiClient } from './client.ts'
import { failureOf } from './failures.ts'
import { fetchFile } from './files.ts'
import { registerStepUpHandler, type StepUpPrompt } from './step-up.ts'

const sentence = 'Please confirm that it is you.'
const refused = {
  message: sentence,
  code: -32003,
  data: { code: 'FORBIDDEN', httpStatus: 403, stepUp: ['totp', 'recovery'] },
}

type Question = StepUpPrompt & { prove: () => void; giveUp: () => void; fail: (error: Error) => void }

const endings: Array<() => void> = []
afterEach(() => {
  vi.unstubAllGlobals()
  for (const end of endings.splice(0)) end()
})

/** A client that can call any procedure name, through the app's tRPC links. */
const clientOf = (fetch: typeof globalThis.fetch) => getUntypedClient(createApiClient(fetch))

/** A person who answers each prompt when the test says so. */
function person() {
  const questions: Question[] = []
  const stop = registerStepUpHandler(question => {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    questions.push({ ...question, prove: () => resolve(true), giveUp: () => resolve(false), fail: reject })
    return promise
  })
  endings.push(stop)
  const question = async (index: number): Promise<Question> => {
    await expect.poll(() => questions.length).toBeGreaterThan(index)
    return questions[index] as Question
  }
  return { questions, question, stop }
}

/** A server that refuses each named call the given number of times, in any batch. It records paths and inputs. */
function server(refusals: Record<string, number>, arrive: (path: string) => Promise<void> = async () => {}) {
  const left = { ...refusals }
  const heard: Array<[path: string, input: unknown]> = []
  const fetch: typeof globalThis.fetch = async (address, options) => {
    const paths = new URL(String(address), 'http://site').pathname.slice('/trpc/'.length).split(',')
    const inputs: unknown[] = Object.values(JSON.parse(String(options?.body)))
    paths.forEach((path, index) => {
      heard.push([path, inputs[index]])
    })
    const answers = paths.map(path => {
      const isRefused = (left[path] ?? 0) > 0
      if (isRefused) left[path] = (left[path] ?? 0) - 1
      return isRefused ? { error: refused } : { result: { data: `done ${path}` } }
    })
    await Promise.all(paths.map(arrive))
    return Response.json(answers, { status: 207 })
  }
  return { client: clientOf(fetch), heard }
}

test('sends the refused call again with the same input after a step-up [SAFE-17]', async () => {
  const { question } = person()
  const { client, heard } = server({ 'payments.refund': 1 })
  const call = client.mutation('payments.refund', { amountCents: 5_00 })
  const asked = await question(0)
  expect(asked.methods).toEqual(['totp', 'recovery'])
  expect(heard).toHaveLength(1)
  asked.prove()
  expect(await call).toBe('done payments.refund')
  expect(heard).toEqual(Array(2).fill(['payments.refund', { amountCents: 5_00 }]))
})

test('prompts once for several calls, also if refused late or sent during the prompt [SAFE-17]', async () => {
  const { questions, question } = person()
  const late = Promise.withResolvers<void>()
  const { client, heard } = server({ a: 1, b: 1, late: 1, meanwhile: 1 }, async path => {
    if (path === 'late' && heard.filter(([name]) => name === 'late').length === 1) await late.promise
  })
  const slow = client.mutation('late')
  await expect.poll(() => heard.length).toBe(1)
  const calls = [client.mutation('a'), client.mutation('b')]
  const asked = await question(0)
  calls.push(client.mutation('meanwhile'))
  await expect.poll(() => heard.length).toBe(4)
  asked.prove()
  expect(await Promise.all(calls)).toEqual(['done a', 'done b', 'done meanwhile'])
  late.resolve()
  expect(await slow).toBe('done late')
  expect(questions).toHaveLength(1)
})

test('returns the refusal when the person cancels, and prompts again for the next call', async () => {
  const { questions, question } = person()
  const { client, heard } = server({ a: 2, b: 1 })
  const calls = Promise.allSettled([client.mutation('a'), client.mutation('b')])
  ;(await question(0)).giveUp()
  for (const call of await calls) {
    expect(call.status).toBe('rejected')
    const { reason } = call as PromiseRejectedResult
    expect(failureOf(reason)).toEqual({ kind: 'refused', status: 403, message: sentence, fields: {} })
  }
  expect(heard).toHaveLength(2)
  const again = client.mutation('a')
  ;(await question(1)).prove()
  expect(await again).toBe('done a')
  expect(questions).toHaveLength(2)
})

test('prompts a second time if the retry is refused, then gives up', async () => {
  const { questions, question } = person()
  const { client, heard } = server({ a: 9 })
  const call = client.mutation('a')
  const refusal = expect(call).rejects.toThrow(sentence)
  ;(await question(0)).prove()
  ;(await question(1)).prove()
  await refusal
  expect(questions).toHaveLength(2)
  expect(heard).toHaveLength(3)
})

test('rejects the call if the session ends during the step-up', async () => {
  const { question } = person()
  const { client, heard } = server({ a: 1 })
  const call = client.mutation('a')
  const ended = expect(call).rejects.toThrow('Please log in again.')
  ;(await question(0)).fail(new Error('Please log in again.'))
  await ended
  expect(heard).toHaveLength(1)
})

test('returns the refusal if no step-up dialog is mounted', async () => {
  const { questions, stop } = person()
  stop()
  const { client, heard } = server({ a: 1 })
  await expect(client.mutation('a')).rejects.toThrow(sentence)
  expect([questions.length, heard.length]).toEqual([0, 1])
})

test('never prompts for the step-up call itself', async () => {
  const { questions } = person()
  const { client } = server({ 'factors.stepUp': 1 })
  await expect(client.mutation('factors.stepUp')).rejects.toThrow(sentence)
  expect(questions).toEqual([])
})

test('does not prompt after other refusals', async () => {
  const { questions } = person()
  const error = { ...refused, data: { ...refused.data, stepUp: undefined } }
  const client = clientOf(async () => Response.json([{ error }], { status: 403 }))
  await expect(client.mutation('a')).rejects.toThrow(sentence)
  expect(questions).toEqual([])
})

test('prompts for a download, too [SAFE-16]', async () => {
  const { question } = person()
  const answers = [
    Response.json({ error: sentence, stepUp: ['password'] }, { status: 403 }),
    new Response('a,b\n'),
  ]
  const asked: unknown[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return answers.shift()
  })
  const file = fetchFile('/api/payment/admin/revenue.csv')
  const { methods, prove } = await question(0)
  expect(methods).toEqual(['password'])
  prove()
  expect(await (await file).text()).toBe('a,b\n')
  expect(asked).toEqual(Array(2).fill('/api/payment/admin/revenue.csv'))
})
