// `npm run check`: format, lint and types beside the tests, printed after them; fails when any of the three does.
import { beside, report, watch } from './beside.mjs'

const others = Promise.all([
  beside('biome', 'ci', '--error-on-warnings', '.'),
  beside('tsc', '--noEmit', '--singleThreaded'),
])
const isTested = await watch('vitest', 'run')
const areOthersPassed = (await others).map(report).every(Boolean)
process.exitCode = isTested && areOthersPassed ? 0 : 1
