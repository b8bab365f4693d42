import { spawn } from 'node:child_process'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { copyDatabase, openDatabase, openExisting } from '../../../../db/open.ts'
import { projectRoot } from '../../../../db/project-root.ts'
import { type Config, ConfigError, type Environment } from '../../kernel/config.ts'
import { readFolderId, removeFolderId } from '../../kernel/files/store-id.ts'
import { exists } from '../../lib/disk.ts'
import { keyPathOf } from '../../lib/installation-key.ts'
import type { Progress } from '../backup/make-backup.ts'
import { verifyStore } from '../backup/verify.ts'

const startWithinMs = 30_000

/**
 * Tries this version on a copy of the site's database, with its own settings: migrates and verifies the copy, compares
 * the rows, and asks a held site for its health and its public page (INST-33). The live data are only read. Returns the
 * faults that the card provider caused, which no version mends.
 * @throws Error with a sentence for the owner
 */
export async function rehearse(
  config: Config,
  environment: Environment,
  parent: string,
  progress: Progress,
): Promise<string[]> {
  // One of its own: only what it made itself is deleted, also what it left behind when it was killed.
  const folder = join(parent, '.condo-rehearsal')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const file = join(folder, 'portal.sqlite')
    const live = openExisting(config.databaseFile, { readonly: true })
    try {
      copyDatabase(live, file)
    } finally {
      live.close()
    }
    const key = keyPathOf(config.databaseFile)
    if (await exists(key)) await copyFile(key, keyPathOf(file))
    const before = countRows(file)
    openDatabase(file, { hasSnapshot: true }).close()
    const after = countRows(file)
    const lost = [...before].flatMap(([table, rows]) => ((after.get(table) ?? 0) < rows ? [table] : []))
    if (lost.length > 0) throw new Error(`Rows would be lost: ${lost.join(', ')}.`)
    const { byProvider, faults } = await verifyStore({ ...config, databaseFile: file }, progress)
    const own = faults.filter(fault => !byProvider.includes(fault))
    if (own.length > 0) throw new Error(own.join('\n'))
    const hasId = readFolderId(config.uploadsDir) !== undefined
    try {
      const SOCKET = join(folder, 'site.sock')
      await tryStart({ ...environment, DATABASE_FILE: file, SOCKET, PORT: undefined })
    } finally {
      // Starting gave an older store an id, which only the copied database knows.
      if (!hasId) await removeFolderId(config.uploadsDir)
    }
    return byProvider
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const kept = ['users', 'applications', 'leases', 'payments', 'charges', 'files']

/** Rows of the tables that no version may lose; none of a table that is gone. */
function countRows(file: string): Map<string, number> {
  const sqlite = openExisting(file, { readonly: true })
  const exists = sqlite.prepare("select 1 from sqlite_master where type = 'table' and name = ?")
  const count = (name: string) => Number(sqlite.prepare(`select count(*) from ${name}`).pluck().get())
  try {
    return new Map(kept.map(name => [name, exists.get(name) ? count(name) : 0]))
  } finally {
    sqlite.close()
  }
}

async function tryStart(environment: Environment): Promise<void> {
  const socketPath = `${environment.SOCKET}.held`
  const site = spawn(process.execPath, [join(projectRoot, 'dist/server/server.js')], {
    env: { ...environment, HELD: 'on', BACKUPS: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [site.stdout, site.stderr])
    stream.on('data', chunk => {
      output = (output + chunk).slice(-2000)
    })
  try {
    const giveUpAt = performance.now() + startWithinMs
    while ((await ask(socketPath, '/api/health')) !== 200) {
      if (site.exitCode !== null || performance.now() > giveUpAt)
        throw new ConfigError(`It did not start:\n${output.trim()}`)
      await sleep(100)
    }
    const home = (await ask(socketPath, '/')) ?? 0
    // A site that is being set up answers 503.
    if (home !== 200 && home !== 503) throw new Error(`Its public page answered ${home}.`)
  } finally {
    site.kill('SIGKILL')
  }
}

/** The status; undefined if nobody answers. */
function ask(socketPath: string, path: string): Promise<number | undefined> {
  return new Promise(resolve => {
    const asked = get({ socketPath, path, timeout: 10_000 }, answer =>
      buffer(answer).then(
        () => resolve(answer.statusCode),
        () => resolve(undefined),
      ),
    )
    asked.once('error', () => resolve(undefined)).once('timeout', () => asked.destroy())
  })
}
