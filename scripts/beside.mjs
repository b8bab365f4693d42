import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** Runs a command whose output is kept until it has ended, as another one is being watched. */
export async function beside(command, ...args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const output = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await ended
  return { command: [command, ...args].join(' '), output: output.join(''), isPassed: status === 0 }
}

/** Runs a command and shows its output as it comes; answers whether it passed. */
export async function watch(command, ...args) {
  const [status] = await once(spawn(command, args, { stdio: 'inherit' }), 'close')
  return status === 0
}

/** Says how it ended, with its output where it failed; answers whether it passed. */
export function report({ command, output, isPassed }) {
  console.log(isPassed ? `✓ ${command}` : `✗ ${command}\n${output}`)
  return isPassed
}
