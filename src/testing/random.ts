import { createRandom } from '../server/operations/demo/seed-runtime.ts'

/** The seed of the whole run, which `global-setup.ts` chooses and prints; `SEED=…` repeats a run. */
export const seed = Number(process.env.SEED)

/** Random numbers for a test; use different values of `stream` for independent sequences. */
export const testRandom = (stream = 0) => createRandom(seed + stream)
