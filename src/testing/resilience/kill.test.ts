import { expect, test } from 'vitest'
import { killRounds } from './kill-rounds.ts'

test('killed at random while a crowd writes: nothing answered is lost, nothing is half there', async () => {
  const { acknowledged } = await killRounds(3)
  expect(acknowledged).toBeGreaterThan(20)
}, 60_000)
