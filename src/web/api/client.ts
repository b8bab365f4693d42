import type { AnyTRPCMutationProcedure, AnyTRPCQueryProcedure, inferProcedureInput } from '@trpc/server'
import { byPath } from './by-path.ts'
import { CallError } from './call-error.ts'
import { createConditionalFetch } from './conditional-fetch.ts'
import { onForget } from './forget-answers.ts'
import type { Outputs, Procedures, RefusalData, With } from './procedures.ts'
import { withStepUp } from './step-up.ts'
import { tokenForCall } from './token.ts'

type Fetch = typeof globalThis.fetch
type Call = {
  path: string
  input: unknown
  resolve: (data: unknown) => void
  reject: (error: unknown) => void
}
/** What the server answers to one call of a batch. */
type Answer = { result: { data?: unknown } } | { error: { message: string; data: RefusalData } }

const maxBatch = 10
/** The server takes a large body only from a call that comes alone. */
const large = [
  'leases.sign',
  'entry.import',
  'editor.saveSection',
  'wordings.save',
  'wordings.preview',
  'wordings.sendSample',
]

/**
 * Calls the server's procedures by name: those of the same moment in one request. tRPC's own client would be 4 KiB more
 * on every screen.
 */
export function createApiClient(fetch: Fetch) {
  const send = { query: createSender(fetch, 'GET'), mutation: createSender(fetch, 'POST') }
  const call = (kind: keyof typeof send) => (path: string, input?: unknown) =>
    path === 'factors.stepUp' ? send[kind](path, input) : withStepUp(() => send[kind](path, input))
  return { query: call('query'), mutation: call('mutation') }
}

function createSender(fetch: Fetch, method: 'GET' | 'POST') {
  let waiting: Call[] = []
  const sendAll = () => {
    const batches = batchesOf(waiting)
    waiting = []
    for (const batch of batches) void sendBatch(fetch, method, batch)
  }
  return (path: string, input: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      if (waiting.length === 0) setTimeout(sendAll)
      waiting.push({ path, input, resolve, reject })
    })
}

function batchesOf(calls: readonly Call[]): Call[][] {
  const batches: Call[][] = calls.filter(({ path }) => large.includes(path)).map(call => [call])
  const small = calls.filter(({ path }) => !large.includes(path))
  for (let start = 0; start < small.length; start += maxBatch)
    batches.push(small.slice(start, start + maxBatch))
  return batches
}

async function sendBatch(fetch: Fetch, method: 'GET' | 'POST', batch: readonly Call[]): Promise<void> {
  try {
    const answers = await ask(fetch, method, batch)
    batch.forEach(({ resolve, reject }, index) => {
      const answer = answers[index]
      if (!answer) reject(new Error('The server gave no answer to this call'))
      else if ('error' in answer) reject(new CallError(answer.error.message, { data: answer.error.data }))
      else resolve(answer.result.data)
    })
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

async function ask(fetch: Fetch, method: 'GET' | 'POST', batch: readonly Call[]): Promise<Answer[]> {
  const url = `/trpc/${batch.map(({ path }) => path).join(',')}?batch=1`
  const inputs = JSON.stringify({ ...batch.map(({ input }) => input) })
  const token = tokenForCall()
  const headers = token ? { authorization: `Bearer ${token}` } : undefined
  const response = await (method === 'GET'
    ? fetch(`${url}&input=${encodeURIComponent(inputs)}`, { method, ...(headers && { headers }) })
    : fetch(url, { method, headers: { 'content-type': 'application/json', ...headers }, body: inputs }))
  const body: unknown = await response.json().catch(() => undefined)
  // What concerns the whole request is answered once.
  const answers = Array.isArray(body) ? body : batch.map(() => body)
  if (!answers.every(isAnswer)) throw new CallError('The answer is not the site’s', foreignStatus(response))
  return answers
}

function isAnswer(answer: unknown): answer is Answer {
  if (typeof answer !== 'object' || answer === null) return false
  const { error, result } = answer as { error?: unknown; result?: unknown }
  const part = error ?? result
  return typeof part === 'object' && part !== null
}

const foreignStatus = ({ ok, status }: Response) => (ok ? {} : { status })

const conditionalFetch = createConditionalFetch()
onForget(conditionalFetch.forget)
export const client = createApiClient(conditionalFetch)

type CallsOf<Record, Answers> = {
  [Name in keyof Record & keyof Answers]: Record[Name] extends AnyTRPCQueryProcedure
    ? { query: (...of: With<inferProcedureInput<Record[Name]>, never>) => Promise<Answers[Name]> }
    : Record[Name] extends AnyTRPCMutationProcedure
      ? { mutate: (...of: With<inferProcedureInput<Record[Name]>, never>) => Promise<Answers[Name]> }
      : CallsOf<Record[Name], Answers[Name]>
}
export type Calls = CallsOf<Procedures, Outputs>

/** Calls the procedures of the server. */
export const calls = byPath({
  query: (path, input) => client.query(path.join('.'), input),
  mutate: (path, input) => client.mutation(path.join('.'), input),
}) as Calls
