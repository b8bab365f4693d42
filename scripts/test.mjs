// `npm test`: builds in parallel with the check, then runs the tests that need the build. Stops at the first failing
// stage, so a failure is at the end of the output.
import { printResult, runBuffered, runLive } from './run-commands.mjs'

const building = runBuffered('node', 'scripts/build.mjs')
const isChecked = await runLive('node', 'scripts/check.mjs')
const isBuilt = printResult(await building)
const passed =
  isChecked &&
  isBuilt &&
  (await runLive('vitest', 'run', '--config', 'vitest.wire.config.ts')) &&
  (await runLive('playwright', 'test'))
process.exitCode = passed ? 0 : 1
