import { randomInt } from 'node:crypto'

/** Before the workers of a run start: one seed for all of them. */
export function setup(): void {
  process.env.SEED = chooseSeed(process.env)
  process.stdout.write(`Random numbers come from SEED=${process.env.SEED}\n`)
}

/** What `SEED=…` says, or any. */
export const chooseSeed = ({ SEED }: { SEED?: string }): string => SEED ?? String(randomInt(1_000_000_000))
