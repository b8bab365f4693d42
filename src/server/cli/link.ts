import { parseArgs } from 'node:util'
import { makeInstallLink } from '../operations/install/first-admin.ts'
import { type Command, withDeps } from './command.ts'

export const link: Command = {
  summary: 'make the link with which a new site is set up in the browser',
  help: `Usage:
  npm run cli -- link

Prints a link that makes the first administrator, once, within 24 hours. A new link ends the one before.`,

  async run(args, terminal) {
    parseArgs({ args, options: {} })
    const [url, file] = await withDeps(terminal, async deps => [
      await makeInstallLink(deps),
      deps.config.databaseFile,
    ])
    terminal.print(`Open this link within 24 hours and answer the questions:\n  ${url}`)
    terminal.print(`It is for the site with the database ${file}.`)
  },
}
