import { chmodSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError } from '../kernel/config.ts'

/**
 * Listens on the port, or on the Unix socket, which the site's group may open too: that is the proxy (INST-08).
 * @throws ConfigError if another process listens there
 */
export async function listen(
  app: FastifyInstance,
  { host, port, socket }: Pick<Config, 'host' | 'port' | 'socket'>,
): Promise<void> {
  if (socket === undefined) return void (await app.listen({ host, port }))
  if (await isServed(socket)) throw new ConfigError('Another process of this site is running.')
  // A killed process leaves its socket behind.
  rmSync(socket, { force: true })
  await app.listen({ path: socket })
  chmodSync(socket, 0o660)
}

function isServed(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
}
