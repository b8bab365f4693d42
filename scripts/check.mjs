// `npm run check`: runs format, lint and type checks in parallel with the tests and prints them after the tests; fails
// if any of them fails.
import { beside, report, watch } from './beside.mjs'

const others = Promise.all([
  beside('biome', 'ci', '--error-on-warnings', '.'),
  beside('tsc', '--noEmit', '--singleThreaded'),
])
const isTested = await watch('vitest', 'run')
const areOthersPassed = (await others).map(report).every(Boolean)
process.exitCode = isTested && areOthersPassed ? 0 : 1
