import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { forTerminal } from '../lib/for-terminal.ts'
import type { Terminal } from './command.ts'

/** The process's own terminal. */
export const processTerminal: Terminal = {
  print: line => void process.stdout.write(`${forTerminal(line)}\n`),
  readSecret,
  isInteractive: process.stdin.isTTY === true,
  environment: process.env,
}

/** Lines that were there with the one before. */
const ahead: string[] = []

async function readSecret(prompt: string): Promise<string> {
  const interactive = process.stdin.isTTY === true
  const next = ahead.shift()
  if (next !== undefined) return next
  // Readline echoes typed text to its output, which discards it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output, terminal: interactive })
  // Printed only now, when the terminal no longer echoes.
  if (interactive) process.stderr.write(prompt)
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.on('line', line => ahead.push(line)).once('line', () => resolve(ahead.shift() ?? ''))
      lines.once('SIGINT', () => reject(new Error('Nothing was changed.')))
      lines.once('close', () => reject(new Error('No password was given.')))
    })
  } finally {
    lines.close()
    if (interactive) process.stderr.write('\n')
  }
}
