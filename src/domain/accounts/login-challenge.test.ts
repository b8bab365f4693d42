import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isChallengeOpen,
  type LoginChallenge,
  newChallenge,
  secondStepWaitSeconds,
  tryChallenge,
} from './login-challenge.ts'

const start = '2026-03-04T17:00:00.000Z'
const seconds = (count: number) => new Date(Date.parse(start) + count * 1000).toISOString()

test('a challenge is valid for five minutes and can be used once [SAFE-06]', () => {
  const challenge = newChallenge(start)
  expect(isChallengeOpen(challenge, seconds(299.999))).toBe(true)
  expect(isChallengeOpen(challenge, seconds(300))).toBe(false)
  const passed = tryChallenge(challenge, { at: seconds(10), isRight: true })
  expect(passed).toMatchObject({ outcome: 'passed', challenge: { usedAt: seconds(10) } })
  expect(tryChallenge(passed.challenge, { at: seconds(10), isRight: true }).outcome).toBe('over')
  expect(tryChallenge(challenge, { at: seconds(300), isRight: true }).outcome).toBe('over')
})

/** Mostly wrong, so that all five tries are used up. */
const tries = fc.array(
  fc.nat(7).map(n => n === 0),
  { minLength: 1, maxLength: 12, size: 'max' },
)

test('any sequence of tries checks at most five and passes at most one [SAFE-06, SAFE-05]', () => {
  fc.assert(
    fc.property(tries, rights => {
      let challenge: LoginChallenge = newChallenge(start)
      const outcomes = rights.map(isRight => {
        const tried = tryChallenge(challenge, { at: seconds(1), isRight })
        challenge = tried.challenge
        return tried.outcome
      })
      const right = rights.indexOf(true)
      const heard = right >= 0 && right < 5 ? right + 1 : Math.min(5, rights.length)
      const expected = rights.map((isRight, at) => (at >= heard ? 'over' : isRight ? 'passed' : 'wrong'))
      expect(outcomes).toEqual(expected)
    }),
  )
})

const wrong = (count: number, at: (n: number) => number, network = 'far') =>
  Array.from({ length: count }, (_, n) => ({ at: seconds(at(n)), network }))
const wait = (
  codes: { at: string; network: string }[],
  at: number,
  isKnownNetwork = false,
  network = 'home',
) => secondStepWaitSeconds(codes, { at: seconds(at), network, isKnownNetwork })

test('twenty wrong codes in an hour lock the second step for networks without a recent success [SAFE-07]', () => {
  expect(
    wait(
      wrong(19, n => n),
      60,
    ),
  ).toBe(0)
  expect(
    wait(
      wrong(20, n => n),
      60,
    ),
  ).toBe(3600 - 60)
  expect(
    wait(
      wrong(21, n => n),
      60,
    ),
  ).toBe(3601 - 60)
  expect(
    wait(
      wrong(20, n => n),
      3599.5,
    ),
  ).toBe(1)
  expect(
    wait(
      wrong(20, n => n),
      3600,
    ),
  ).toBe(0)
  // From any mix of networks, in any order.
  const mixed = [...wrong(10, n => n, 'near'), ...wrong(10, n => n + 10)].toReversed()
  expect(wait(mixed, 60)).toBe(3600 - 60)
})

test('two hundred wrong codes in 30 days lock the second step until a new password [SAFE-07]', () => {
  const hour = 3600
  const month = wrong(200, n => n * hour, 'home')
  expect(wait(month.slice(1), 200 * hour)).toBe(0)
  expect(wait(month, 200 * hour)).toBe((30 * 24 - 200) * hour)
  expect(wait(month, 200 * hour, true, 'elsewhere')).toBe(0)
  expect(wait(month, 200 * hour, true)).toBe((30 * 24 - 200) * hour)
  const since = { at: seconds(200 * hour), network: 'home', isKnownNetwork: false, passwordAt: seconds(0) }
  expect(secondStepWaitSeconds(month, since)).toBe(0)
})

test('wrong codes counted while the clock was ahead do not lock the second step afterwards [SAFE-07]', () => {
  const year = 365 * 24 * 3600
  expect(
    wait(
      wrong(200, n => year + n),
      60,
    ),
  ).toBe(0)
})

test('a network with a recent login is not limited by tries from other networks, and has a separate limit [SAFE-07]', () => {
  expect(
    wait(
      wrong(500, n => n),
      600,
      true,
    ),
  ).toBe(0)
  expect(
    wait(
      wrong(99, n => n * 36, 'home'),
      3600,
      true,
    ),
  ).toBe(0)
  expect(
    wait(
      wrong(100, n => n * 36, 'home'),
      3600,
      true,
    ),
  ).toBeGreaterThan(0)
  expect(
    wait(
      wrong(100, n => n * 36, 'home'),
      24 * 3600 + 3600,
      true,
    ),
  ).toBe(0)
})

test('a challenge made while the clock was ahead is over once the clock is corrected [SAFE-06]', () => {
  const challenge = newChallenge('2027-03-04T12:00:00.000Z')
  expect(isChallengeOpen(challenge, '2027-03-04T12:01:00.000Z')).toBe(true)
  expect(isChallengeOpen(challenge, '2026-06-04T12:00:00.000Z')).toBe(false)
})
