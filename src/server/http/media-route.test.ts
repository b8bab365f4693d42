import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/test-app.ts'

const name = '0123456789abcdef-400.webp'
const policy = "default-src 'none'; sandbox"

async function withCopies(...names: string[]) {
  const app = await testApp()
  const folder = join(app.deps.config.uploadsDir, 'media')
  mkdirSync(join(folder, 'incoming'), { recursive: true })
  for (const each of names) writeFileSync(join(folder, each), `the copy ${each}`)
  return app
}

test.each([
  [name, 'image/webp'],
  ['0123456789abcdef-1200.jpg', 'image/jpeg'],
  ['0123456789abcdef-800.avif', 'image/avif'],
])(
  'serves a copy at %s as immutable and sandboxed, answers HEAD with the same headers and ignores ranges [PIC-11]',
  async (copy, type) => {
    const { http } = await withCopies(copy)
    const answer = await http.inject(`/media/${copy}`)
    expect([answer.statusCode, answer.body]).toEqual([200, `the copy ${copy}`])
    const headers = {
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': type,
      'content-length': String(answer.body.length),
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
    }
    expect(answer.headers).toMatchObject(headers)
    const head = await http.inject({ method: 'HEAD', url: `/media/${copy}` })
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers).toMatchObject(headers)
    const range = await http.inject({ url: `/media/${copy}?v=1`, headers: { range: 'bytes=0-2' } })
    expect([range.statusCode, range.body]).toEqual([200, answer.body])
  },
)

test('HEAD does not read the file, so that many requests do not exhaust the memory [FIX-19]', async () => {
  const app = await withCopies(name)
  const bytes = 8_000_000
  writeFileSync(join(app.deps.config.uploadsDir, 'media', name), Buffer.alloc(bytes))
  const readBytes = () => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
  const before = readBytes()
  const head = await app.http.inject({ method: 'HEAD', url: `/media/${name}` })
  expect(head.headers['content-length']).toBe(String(bytes))
  await setTimeout(300)
  expect(readBytes() - before).toBeLessThan(bytes / 2)
})

const nowhere = [
  '/',
  '/fedcba9876543210-400.webp',
  `/${name}/`,
  `/${name.toUpperCase()}`,
  `/${name}%00`,
  `/incoming`,
  `/incoming/${name}`,
  '/0123456789abcdef-0400.webp',
  '/0123456789abcdef-400.png',
  '/..%2fstore-id',
  '/%2e%2e/store-id',
  '/..%5cstore-id',
  `/..%2fmedia%2f${name}`,
  `/./${name}`,
  `/../media/${name}`,
  '/../store-id',
  '/%zz',
  `/${'a'.repeat(3000)}`,
]

test('returns an uncached 404 for everything else below /media, in any spelling [PIC-11]', async () => {
  const url = await (await withCopies(name)).listen()
  expect((await rawStatus(url, 'GET', `/media/${name}`))[0]).toBe(200)
  for (const path of nowhere)
    for (const method of ['GET', 'HEAD'])
      expect([path, ...(await rawStatus(url, method, `/media${path}`))]).toEqual([path, 404, 'no-store'])
})

/** Requests the path as it is; other clients resolve dots first. */
async function rawStatus(url: string, method: string, path: string) {
  const { port } = new URL(url)
  const request = httpRequest({ port, method, path }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  return [response.statusCode, response.headers['cache-control']]
}
