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
