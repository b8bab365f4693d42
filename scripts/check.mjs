// `npm run check`: format, lint and types beside the tests, told after them; fails when any of the three does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

async function beside(command, ...args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const output = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await ended
  return { command: [command, ...args].join(' '), output: output.join(''), status }
}

const others = Promise.all([
  beside('biome', 'ci', '--error-on-warnings', '.'),
  beside('tsc', '--noEmit', '--singleThreaded'),
])
const [testStatus] = await once(spawn('vitest', ['run'], { stdio: 'inherit' }), 'close')
const results = await others
for (const { command, output, status } of results)
  console.log(status === 0 ? `✓ ${command}` : `✗ ${command}\n${output}`)
process.exitCode = testStatus === 0 && results.every(({ status }) => status === 0) ? 0 : 1
