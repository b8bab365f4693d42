import { createRandom } from '../server/demo/random.ts'

/** The seed of the whole run, which `global-setup.ts` chooses and prints: `SEED=…` repeats the run. */
export const seed = Number(process.env.SEED)

/** Random numbers of a test; `stream` keeps apart what needs several of its own. */
export const testRandom = (stream = 0) => createRandom(seed + stream)
