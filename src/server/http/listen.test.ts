import { statSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { productionEnv } from '../../testing/production-env.ts'
import { testApp } from '../../testing/test-app.ts'
import { readConfig } from '../kernel/config.ts'
import { listen } from './listen.ts'

function get(socketPath: string, path: string, headers: IncomingHttpHeaders = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path, headers: { host: 'condo.example', ...headers } }, answer =>
      resolve(text(answer)),
    )
    asked.once('error', reject).end()
  })
}

test('listens on a socket for its group, where the last forwarding header counts, and refuses a second process [INST-08, INST-13]', async () => {
  const app = await testApp({ env: productionEnv })
  const socket = join(app.folder, 'site.sock')
  const { port: _, ...rest } = app.deps.config
  app.deps.config.socket = socket
  // A killed process leaves something behind.
  writeFileSync(socket, '')
  const fastify = await app.fastify()
  const addresses: string[] = []
  await listen(fastify, { ...rest, port: 0, socket })
  expect(statSync(socket).mode & 0o777).toBe(0o660)
  app.deps.limits.consume = async (_kind: unknown, key?: unknown) => void addresses.push(String(key))
  await get(socket, '/calendar/x.ics', { 'x-forwarded-for': '198.51.100.9, 203.0.113.4' })
  expect(addresses).toEqual([expect.stringContaining('203.0.113.4')])
  const second = await testApp({ env: productionEnv })
  await expect(listen(await second.fastify(), { ...rest, port: 0, socket })).rejects.toThrow(
    'Another process of this site is running.',
  )
  expect(await get(socket, '/api/health')).toContain('"ok"')
})

test('SOCKET and PORT exclude each other [INST-08]', () => {
  expect(readConfig({ ...productionEnv, SOCKET: '/run/site.sock' })).toMatchObject({
    socket: '/run/site.sock',
  })
  expect(() => readConfig({ ...productionEnv, SOCKET: '/run/site.sock', PORT: '3000' })).toThrow(
    /SOCKET and PORT/,
  )
})
