import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** Runs a command and buffers its output until it exits, because another command is printing at the same time. */
export async function runBuffered(command, ...args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const output = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await ended
  return { command: [command, ...args].join(' '), output: output.join(''), passed: status === 0 }
}

/** Runs a command and shows its output live. Returns whether it passed. */
export async function runLive(command, ...args) {
  const [status] = await once(spawn(command, args, { stdio: 'inherit' }), 'close')
  return status === 0
}

/** Prints the result, with the output of a failed command. Returns whether it passed. */
export function printResult({ command, output, passed }) {
  console.log(passed ? `✓ ${command}` : `✗ ${command}\n${output}`)
  return passed
}
