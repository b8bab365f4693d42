import { randomInt } from 'node:crypto'

/** Chooses one seed for all workers before they start. */
export function setup(): void {
  process.env.SEED = chooseSeed(process.env)
  process.stdout.write(`Random numbers come from SEED=${process.env.SEED}\n`)
}

/** The seed in `SEED`, or a random one. */
export const chooseSeed = ({ SEED }: { SEED?: string }): string => SEED ?? String(randomInt(1_000_000_000))
