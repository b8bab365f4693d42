import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseSeed } from './global-setup.ts'
import { seed, testRandom } from './random.ts'

test('a run uses the seed in SEED, or chooses one and prints it [FIX-23]', () => {
  expect(chooseSeed({ SEED: '7' })).toBe('7')
  const chosen = Array.from({ length: 5 }, () => chooseSeed({}))
  for (const each of chosen) expect(each).toMatch(/^\d{1,9}$/)
  expect(new Set(chosen).size).toBeGreaterThan(1)
  expect(String(seed)).toBe(process.env.SEED)
})

test('the same seed gives the same random numbers and the same fast-check runs [FIX-23]', () => {
  const draw = (stream: number) => {
    const { below } = testRandom(stream)
    return Array.from({ length: 20 }, () => below(1_000_000))
  }
  expect(draw(0)).toEqual(draw(0))
  expect(draw(1)).not.toEqual(draw(0))
  const fails = () => fc.check(fc.property(fc.nat(), n => n < 1000))
  expect(fails()).toMatchObject({ failed: true, seed, counterexample: fails().counterexample })
  expect(fc.sample(fc.string(), 20)).toEqual(fc.sample(fc.string(), { seed, numRuns: 20 }))
})

test('no test uses another source of random numbers [FIX-23]', () => {
  const files = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx', 'src/testing/*.ts'], {
    encoding: 'utf8',
  })
  // Replacing a source of the program is none.
  const others = /Math\.random|(?<!spyOn\(crypto, ')\brandom(Int|Bytes|Fill)/
  const own = ['src/testing/random.test.ts', 'src/testing/global-setup.ts']
  const found = files
    .trim()
    .split('\n')
    .filter(file => !own.includes(file) && !/\/(bench|e2e)\//.test(file))
    .filter(file => others.test(readFileSync(file, 'utf8')))
  expect(found).toEqual([])
})
