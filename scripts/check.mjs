// `npm run check`: runs format, lint and type checks in parallel with the tests and prints them after the tests; fails
// if any of them fails.
import { printResult, runBuffered, runLive } from './run-commands.mjs'

// Keeps what it found, and checks again only what changed and what depends on it.
const keep = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/tsc.json']
const others = Promise.all([
  runBuffered('biome', 'ci', '--error-on-warnings', '.'),
  runBuffered('tsc', '--noEmit', '--singleThreaded', ...keep),
])
const testsPassed = await runLive('vitest', 'run')
const otherChecksPassed = (await others).map(printResult).every(Boolean)
process.exitCode = testsPassed && otherChecksPassed ? 0 : 1
