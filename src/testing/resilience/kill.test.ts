import { expect, test } from 'vitest'
import { killRounds } from './kill-rounds.ts'

test('killed at random under load: loses no acknowledged write, and leaves nothing half-written', async () => {
  const { acknowledged } = await killRounds(3)
  expect(acknowledged).toBeGreaterThan(20)
}, 60_000)
