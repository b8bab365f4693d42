import { parseArgs } from 'node:util'
import { ensureFirstAdmin } from '../auth/accounts/admins.ts'
import { readConfig } from '../kernel/config.ts'
import { isMarkedAsDemo } from '../kernel/demo-mark.ts'
import { demoLogins, markEmptyDatabaseAsDemo, seedDemo } from '../operations/demo/demo-data.ts'
import { type Command, withDeps } from './command.ts'

export const seed: Command = {
  summary: 'fill a demo with data',
  help: `Usage:
  npm run cli -- seed              the demo data, as on the first start

Fails in production, and for a database that is not a demo's.`,

  async run(args, terminal) {
    parseArgs({ args })
    if (readConfig(terminal.environment).mode === 'production')
      throw new Error('The seed command cannot run in production. Nothing was changed.')
    await withDeps(terminal, async deps => {
      await markEmptyDatabaseAsDemo(deps)
      if (!isMarkedAsDemo(deps.db))
        throw new Error(`${deps.config.databaseFile} is not a demo database. Nothing was changed.`)
      const adminMessage = await ensureFirstAdmin(deps)
      if (!(await seedDemo(deps))) throw new Error('There is already data. Nothing was changed.')
      terminal.print('The demo data was created.')
      for (const line of [adminMessage, await demoLogins(deps)]) if (line) terminal.print(line)
    })
  },
}
