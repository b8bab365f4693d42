import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../../db/open.ts'
import { ensureFirstAdmin } from '../auth/accounts/admins.ts'
import { readConfig } from '../kernel/config.ts'
import { isMarkedAsDemo } from '../kernel/demo-mark.ts'
import type { Deps } from '../kernel/deps.ts'
import { demoLogins, markEmptyDatabaseAsDemo, seedDemo } from '../operations/demo/demo-data.ts'
import { seedScale } from '../operations/demo/scale.ts'
import { type Command, type Terminal, UsageError, withDeps } from './command.ts'

const maxScale = 1_000_000

export const seed: Command = {
  summary: 'fill a demo with data',
  help: `Usage:
  npm run cli -- seed              the demo data, as on the first start
  npm run cli -- seed --scale N    also N applications with 3 payments each over five years, for load tests

Fails in production, and for a database that is not a demo's. With --scale past stays overlap, which "verify" then
reports; future bookings do not overlap.`,

  async run(args, terminal) {
    const { values } = parseArgs({ args, options: { scale: { type: 'string' } } })
    const scale = values.scale === undefined ? undefined : countFrom(values.scale)
    if (readConfig(terminal.environment).mode === 'production')
      throw new Error('The seed command cannot run in production. Nothing was changed.')
    await withDeps(terminal, async deps => {
      await seedOnce(deps, terminal, scale !== undefined)
      if (scale !== undefined) await addScale(deps, terminal, scale)
    })
  },
}

function countFrom(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count < 1 || count > maxScale)
    throw new UsageError(`--scale takes a number from 1 to ${maxScale}.`)
  return count
}

async function seedOnce(deps: Deps, terminal: Terminal, allowExistingData: boolean): Promise<void> {
  await markEmptyDatabaseAsDemo(deps)
  if (!isMarkedAsDemo(deps.db))
    throw new Error(`${deps.config.databaseFile} is not a demo database. Nothing was changed.`)
  const adminMessage = await ensureFirstAdmin(deps)
  const isSeeded = await seedDemo(deps)
  if (!isSeeded && !allowExistingData) throw new Error('There is already data. Nothing was changed.')
  if (!isSeeded) return
  terminal.print('The demo data was created.')
  for (const line of [adminMessage, await demoLogins(deps)]) if (line) terminal.print(line)
}

async function addScale(deps: Deps, terminal: Terminal, applications: number): Promise<void> {
  const { clock, config, passwords } = deps
  const passwordHash = await passwords.hash(randomUUID())
  const startedAt = performance.now()
  const tenth = Math.ceil(applications / 10)
  let reported = 0
  const database = openDatabase(config.databaseFile)
  try {
    seedScale(database, {
      applications,
      passwordHash,
      now: clock.now(),
      timeZone: config.site.timeZone,
      onProgress: made => {
        if (made < reported + tenth && made < applications) return
        reported = made
        terminal.print(`${made} of ${applications} applications`)
      },
    })
  } finally {
    database.close()
  }
  terminal.print(`Done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
}
