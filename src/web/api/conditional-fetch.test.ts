import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createConditionalFetch } from './conditional-fetch.ts'

type Heard = { method: string; path: string; given: string | undefined; readonly status: number }

const closers: Array<() => void> = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/**
 * A server on a free port that returns the content with an ETag. It records each request with its If-None-Match header,
 * and the paths of aborted requests. `handle` can respond instead by returning true.
 */
async function contentServer(
  handle: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
) {
  const heard: Heard[] = []
  const left: string[] = []
  const state = { content: 'one' }
  const server = createServer((request, response) => {
    const given = request.headers['if-none-match']
    const path = request.url ?? ''
    heard.push({
      method: request.method ?? '',
      path,
      given,
      get status() {
        return response.statusCode
      },
    })
    response.once('close', () => {
      if (!response.writableFinished) left.push(path)
    })
    if (handle(request, response)) return
    sendNamed(response, state.content, given)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, left, state }
}

function sendNamed(response: ServerResponse, content: string, given: string | undefined, status = 200) {
  const etag = `W/"${content}"`
  const isKnown = given === etag
  response.writeHead(isKnown ? 304 : status, { etag, 'content-type': 'application/json' })
  response.end(isKnown ? undefined : JSON.stringify(content))
}

const as = (user?: string): RequestInit => ({
  method: 'GET',
  headers: user ? { authorization: `Bearer ${user}` } : {},
})
const read = async (answer: Promise<Response>) => {
  const response = await answer
  return [response.status, response.ok, await response.json()]
}

test('loads only content that has changed', async () => {
  const { url, heard, state } = await contentServer()
  const ask = createConditionalFetch()
  for (const content of ['one', 'one', 'one', 'two', 'two']) {
    state.content = content
    expect(await read(ask(`${url}/a`, as('maya')))).toEqual([200, true, content])
  }
  expect(heard.map(({ given, status }) => [given, status])).toEqual([
    [undefined, 200],
    ['W/"one"', 304],
    ['W/"one"', 304],
    ['W/"one"', 200],
    ['W/"two"', 304],
  ])
})

test('caches each URL separately', async () => {
  const { url, heard } = await contentServer()
  const ask = createConditionalFetch()
  for (const path of ['/a?x=1', '/a?x=2', '/a?x=1'])
    expect(await read(ask(`${url}${path}`, as()))).toEqual([200, true, 'one'])
  expect(heard.map(({ path, status }) => `${path} ${status}`)).toEqual([
    '/a?x=1 200',
    '/a?x=2 200',
    '/a?x=1 304',
  ])
})

test('caches only complete responses to reads that have an ETag', async () => {
  const { url, heard } = await contentServer((request, response) => {
    if (request.url === '/partly') sendNamed(response, 'some', undefined, 207)
    else if (request.url === '/refused') sendNamed(response, 'no', undefined, 401)
    else if (request.url === '/nameless') response.end('"plain"')
    else return false
    return true
  })
  const ask = createConditionalFetch()
  for (let round = 0; round < 2; round++) {
    expect(await read(ask(`${url}/partly`, as()))).toEqual([207, true, 'some'])
    expect(await read(ask(`${url}/refused`, as()))).toEqual([401, false, 'no'])
    expect(await read(ask(`${url}/nameless`, as()))).toEqual([200, true, 'plain'])
    expect(await read(ask(`${url}/a`, { method: 'POST', body: '{}' }))).toEqual([200, true, 'one'])
  }
  expect(heard).toHaveLength(8)
  expect(heard.filter(({ given }) => given !== undefined)).toEqual([])
  expect(heard.filter(({ method }) => method === 'POST')).toHaveLength(2)
})

test('clears the cache when the user changes or signs out', async () => {
  const { url, heard } = await contentServer()
  const ask = createConditionalFetch()
  for (const user of ['maya', 'omar', 'maya', undefined, 'maya', 'maya'])
    expect(await read(ask(`${url}/a`, as(user)))).toEqual([200, true, 'one'])
  expect(heard.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 304])
})

test("clears the cache on another user's write", async () => {
  const { url, heard } = await contentServer()
  const ask = createConditionalFetch()
  await read(ask(`${url}/a`, as('maya')))
  await read(ask(`${url}/a`, { ...as('omar'), method: 'POST' }))
  await read(ask(`${url}/a`, as('maya')))
  expect(heard.map(({ given }) => given)).toEqual([undefined, undefined, undefined])
})

test('does not cache a response that arrives after its user has left', async () => {
  let answerLate = () => {}
  const asked = Promise.withResolvers<void>()
  const { url, heard } = await contentServer((request, response) => {
    if (request.url !== '/late' || request.headers.authorization !== 'Bearer maya') return false
    answerLate = () => sendNamed(response, 'secret of maya', undefined)
    asked.resolve()
    return true
  })
  const ask = createConditionalFetch()
  const late = read(ask(`${url}/late`, as('maya')))
  await asked.promise
  await read(ask(`${url}/a`, as('omar')))
  answerLate()
  expect(await late).toEqual([200, true, 'secret of maya'])
  expect(await read(ask(`${url}/late`, as('omar')))).toEqual([200, true, 'one'])
  expect(heard.map(({ path, given }) => [path, given])).toEqual([
    ['/late', undefined],
    ['/a', undefined],
    ['/late', undefined],
  ])
})

test('returns the full response for a 304 even if the cache was cleared during the request', async () => {
  let answerLate = () => {}
  const asked = Promise.withResolvers<void>()
  const { url, heard } = await contentServer((request, response) => {
    const given = request.headers['if-none-match']
    if (given === undefined) return false
    answerLate = () => sendNamed(response, 'one', given)
    asked.resolve()
    return true
  })
  const ask = createConditionalFetch()
  await read(ask(`${url}/a`, as('maya')))
  const again = read(ask(`${url}/a`, as('maya')))
  await asked.promise
  await read(ask(`${url}/b`, as('omar')))
  answerLate()
  expect(await again).toEqual([200, true, 'one'])
  expect(heard.map(({ path, status }) => `${path} ${status}`)).toEqual(['/a 200', '/a 304', '/b 200'])
})

test('after clear(), loads everything again and rejects requests in flight [FIX-11]', async () => {
  const waiting: ServerResponse[] = []
  const { url, heard } = await contentServer((request, response) => {
    if (request.url === '/late') waiting.push(response)
    return request.url === '/late'
  })
  const ask = createConditionalFetch()
  await read(ask(`${url}/a`, as('maya')))
  const late = ['GET', 'POST'].map(method => ask(`${url}/late`, { ...as('maya'), method }))
  await expect.poll(() => waiting.length).toBe(2)
  ask.clear()
  for (const response of waiting) sendNamed(response, 'late', undefined)
  for (const answer of late) await expect(answer).rejects.toThrow('user changed')
  heard.length = 0
  await read(ask(`${url}/a`, as('maya')))
  expect(heard.map(({ path, given }) => `${path} ${given}`)).toEqual(['/a undefined'])
})

test('caches the fifty most recently used URLs', async () => {
  const { url, heard } = await contentServer()
  const ask = createConditionalFetch()
  const paths = Array.from({ length: 50 }, (_, index) => `/${index}`)
  for (const path of [...paths, '/0', '/50']) await read(ask(`${url}${path}`, as()))
  expect(heard.filter(({ status }) => status === 304).map(({ path }) => path)).toEqual(['/0'])
  heard.length = 0
  for (const path of ['/0', '/2', '/49', '/50', '/1']) await read(ask(`${url}${path}`, as()))
  expect(heard.map(({ path, status }) => `${path} ${status}`)).toEqual([
    '/0 304',
    '/2 304',
    '/49 304',
    '/50 304',
    '/1 200',
  ])
})

test('aborts immediately, before or during the response, and caches nothing', async () => {
  const { url, heard, left } = await contentServer((request, response) => {
    if (request.url === '/half') response.writeHead(200, { etag: 'W/"half"' }).write('"ha')
    return request.url === '/half' || request.url === '/never'
  })
  const ask = createConditionalFetch()
  for (const path of ['/never', '/half', '/half']) {
    const controller = new AbortController()
    const answer = ask(`${url}${path}`, { ...as(), signal: controller.signal })
    setTimeout(() => controller.abort(), 50)
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
  }
  await expect.poll(() => left).toEqual(['/never', '/half', '/half'])
  expect(heard.map(({ given }) => given)).toEqual([undefined, undefined, undefined])
  await expect(ask(`${url}/a`, { ...as(), signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test('passes on a network failure', async () => {
  const { url } = await contentServer((_request, response) => {
    response.destroy()
    return true
  })
  await expect(createConditionalFetch()(`${url}/a`, as())).rejects.toThrow(TypeError)
})
