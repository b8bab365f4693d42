import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { discardRest, receiveBody } from './receive-body.ts'

const from = (ip: string) => ({ ip, headers: {} }) as FastifyRequest

test('up to 100 bodies from a network address can arrive or be discarded at once; others are not affected', async () => {
  const held = Array.from({ length: 100 }, () => discardRest(from('203.0.113.7'), new PassThrough()))
  const done: string[] = []
  for (const ip of ['203.0.113.7', '203.0.114.7'])
    held.push(discardRest(from(ip), new PassThrough()).then(() => void done.push(ip)))
  await turn()
  expect(done).toEqual(['203.0.113.7'])
  const refused = { code: 'unavailable' }
  await expect(receiveBody(from('203.0.113.7'), new PassThrough(), 10)).rejects.toMatchObject(refused)
  const body = receiveBody(from('203.0.114.7'), new PassThrough().end('text'), 10)
  expect(String(await body)).toBe('text')
  await Promise.all(held)
  expect(String(await receiveBody(from('203.0.113.7'), new PassThrough().end('text'), 10))).toBe('text')
})

test.each([
  [
    'of a larger network',
    120,
    (n: number) => `2001:db8:1:${n.toString(16)}::1`,
    '2001:db8:1:ffff::1',
    '2001:db8:2::1',
  ],
  ['of all', 250, (n: number) => `10.${n}.0.1`, '203.0.114.7', undefined],
])(
  'limits the bodies %s that arrive at once to %d, so that connections are left',
  async (_, max, addressOf, refused, other) => {
    const held = Array.from({ length: max }, () => new PassThrough())
    const bodies = held.map((source, n) => receiveBody(from(addressOf(n)), source, 10))
    const unavailable = { code: 'unavailable', retryAfterSeconds: 60 }
    await expect(receiveBody(from(refused), new PassThrough(), 10)).rejects.toMatchObject(unavailable)
    await discardRest(from(refused), new PassThrough())
    if (other) expect(String(await receiveBody(from(other), new PassThrough().end('text'), 10))).toBe('text')
    for (const source of held) source.end('text')
    expect((await Promise.all(bodies)).map(String)).toEqual(Array(max).fill('text'))
    expect(String(await receiveBody(from(refused), new PassThrough().end('text'), 10))).toBe('text')
  },
)
