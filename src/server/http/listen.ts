import { once } from 'node:events'
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError } from '../kernel/config.ts'

/**
 * Listens on the port, or on the Unix socket, which the site's group may open too: that is the proxy (INST-08). A held
 * site listens beside its socket, where nobody but root asks, until `letIn` (INST-35).
 * @throws ConfigError if another process listens there
 */
export async function listen(
  app: FastifyInstance,
  { held, host, port, socket }: Pick<Config, 'held' | 'host' | 'port' | 'socket'>,
): Promise<void> {
  if (socket === undefined) return void (await app.listen({ host, port }))
  if (await isServed(socket)) throw new ConfigError('Another process of this site is running.')
  const path = held ? heldSocket(socket) : socket
  // A killed process leaves its socket behind.
  rmSync(path, { force: true })
  await app.listen({ path })
  chmodSync(path, 0o660)
}

const heldSocket = (socket: string) => `${socket}.held`
/** A held site whose upgrade was killed ends, and its next start undoes the upgrade. */
const longestHoldMs = 60_000

/** Waits for SIGUSR2, then opens a held site. Without the signal the process ends after a minute. */
export async function letIn({ held, socket }: Pick<Config, 'held' | 'socket'>): Promise<void> {
  if (!held || socket === undefined) return
  // A rehearsal is killed, and leaves what it compiled to the start that visitors wait for.
  flushCompileCache()
  const end = setTimeout(() => process.exit(1), longestHoldMs)
  await once(process, 'SIGUSR2')
  clearTimeout(end)
  renameSync(heldSocket(socket), socket)
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
