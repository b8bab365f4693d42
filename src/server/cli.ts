import { runCli } from './cli/run-cli.ts'
import { processTerminal } from './cli/terminal.ts'

process.exitCode = await runCli(process.argv.slice(2), processTerminal)
