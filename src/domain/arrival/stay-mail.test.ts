import { expect, test } from 'vitest'
import { stayMailsOf } from './stay-mail.ts'

const facts = {
  applicationId: 'a1',
  startDate: '2026-06-01',
  endDate: '2026-11-02',
  openedAt: '2026-05-30T20:00:00.000Z',
  gate: {
    state: 'open' as const,
    opensAt: new Date('2026-05-30T20:00:00Z'),
    checkInAt: new Date('2026-06-01T20:00:00Z'),
    checkOutAt: new Date('2026-11-02T15:00:00Z'),
  },
  timeZone: 'America/New_York',
}
const spansOf = (changed: Partial<typeof facts>) =>
  stayMailsOf({ ...facts, ...changed }).map(({ at, key, until }) => [
    key,
    at.toISOString(),
    until.toISOString(),
  ])

test('the mails of a stay have their moments in the property’s zone, their ends, and keys with its day [STAY-34]', () => {
  expect(spansOf({})).toEqual([
    ['stay-missing:a1:2026-06-01', '2026-05-18T13:00:00.000Z', '2026-05-30T20:00:00.000Z'],
    ['stay-open:a1:2026-06-01', '2026-05-30T20:00:00.000Z', '2026-11-02T15:00:00.000Z'],
    ['stay-tomorrow:a1:2026-06-01', '2026-05-31T13:00:00.000Z', '2026-06-01T20:00:00.000Z'],
    // The clocks have changed on November 1.
    ['stay-checkout:a1:2026-11-02', '2026-11-02T14:00:00.000Z', '2026-11-02T15:00:00.000Z'],
    ['stay-thanks:a1:2026-11-02', '2026-11-04T14:00:00.000Z', '2026-11-11T14:00:00.000Z'],
  ])
  expect(spansOf({ openedAt: null } as never).map(([key]) => key)).not.toContain('stay-open:a1:2026-06-01')
  const early = { ...facts.gate, checkOutAt: new Date('2026-11-02T14:00:00Z') }
  expect(spansOf({ gate: early })[3]?.[1]).toBe('2026-11-01T14:00:00.000Z')
})
