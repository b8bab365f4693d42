// `npm test`: builds in parallel with the check, then runs the tests that need the build. Stops at the first failing
// stage, so a failure is at the end of the output.
import { beside, report, watch } from './beside.mjs'

const building = beside('node', 'scripts/build.mjs')
const isChecked = await watch('node', 'scripts/check.mjs')
const isBuilt = report(await building)
const isPassed =
  isChecked &&
  isBuilt &&
  (await watch('vitest', 'run', '--config', 'vitest.wire.config.ts')) &&
  (await watch('playwright', 'test'))
process.exitCode = isPassed ? 0 : 1
