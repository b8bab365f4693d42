import { runCli } from './cli/run-cli.ts'
import { processTerminal } from './cli/terminal.ts'

// A running backup removes what it has decrypted when the process exits, which a signal alone would skip.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exitCode = await runCli(process.argv.slice(2), processTerminal)
