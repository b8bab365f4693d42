// `npm test`: the build beside the check, which often waits; then what is tried against the build. What fails is the last.
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
