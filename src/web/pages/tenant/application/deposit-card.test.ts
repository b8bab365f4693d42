import { expect, test } from 'vitest'
import { sentencesOf } from './deposit-card.tsx'

type Deposit = Parameters<typeof sentencesOf>[0]

const deposit: Deposit = {
  applicationId: 'a',
  applicationNumber: 'APP-2026-0001',
  state: 'held',
  vacatedOn: '2026-06-01',
  rule: {
    id: 'general',
    name: 'General',
    returnDays: 15,
    claimDays: 30,
    objectionDays: 15,
    restDays: 30,
    delivery: 'email',
    noticeText: '',
    preset: true,
  },
  hasLeft: true,
  receivedCents: 500_00,
  movedCents: 0,
  shortCents: 0,
  heldCents: 500_00,
  returnedCents: 0,
  keptCents: 0,
  claimedCents: 0,
  onItsWayCents: 0,
  disputedCents: 0,
  freeCents: 0,
  deadline: { kind: 'return', date: '2026-06-16', daysLeft: 5 },
  objectionUntil: null,
  items: [],
  statements: [],
  legs: [],
  closedAt: null,
}
const rest = { kind: 'rest', date: '2026-07-20' } as const

test.each<[Partial<Deposit>, string[]]>([
  [{ state: 'unpaid', heldCents: 0, deadline: null }, ['No deposit has been paid.']],
  [{}, ['We hold $500.00. It goes back, or you get a statement, by Jun 16, 2026.']],
  [{ deadline: null }, ['We hold $500.00.']],
  [
    { state: 'objected', claimedCents: 185_00, deadline: { ...rest, daysLeft: 3 } },
    [
      'We hold $500.00 and claim $185.00 of it. The rest goes back by Jul 20, 2026.',
      'We keep nothing until we have agreed with you or it is decided.',
    ],
  ],
  [
    { state: 'objected', heldCents: 380_00, claimedCents: 65_00, keptCents: 120_00, deadline: null },
    [
      'We hold $380.00 and claim $65.00 of it.',
      'We keep nothing more until we have agreed with you or it is decided.',
      'We kept $120.00.',
    ],
  ],
  [
    { deadline: { kind: 'claim', date: '2026-07-01', daysLeft: -1 } },
    ['We hold $500.00. It was to go back, or you were to get a statement, by Jul 1, 2026.'],
  ],
  [
    { claimedCents: 120_00, deadline: { ...rest, daysLeft: 3 } },
    ['We hold $500.00 and claim $120.00 of it. The rest goes back by Jul 20, 2026.'],
  ],
  [
    { heldCents: 380_00, keptCents: 120_00, onItsWayCents: 380_00, deadline: { ...rest, daysLeft: -3 } },
    [
      'We hold $380.00. The rest was to go back by Jul 20, 2026.',
      '$380.00 is on its way back to you.',
      'We kept $120.00.',
    ],
  ],
  [
    { heldCents: 0, disputedCents: 500_00 },
    ['It goes back, or you get a statement, by Jun 16, 2026.', '$500.00 is disputed with your bank.'],
  ],
  [
    { state: 'closed', heldCents: 0, returnedCents: 380_00, keptCents: 120_00, deadline: null },
    ['$380.00 went back to you.', 'We kept $120.00.'],
  ],
])('tells a tenant what became of the deposit: %j [DEP-05]', (change, sentences) => {
  expect(sentencesOf({ ...deposit, ...change })).toEqual(sentences)
})

test('after a decline the tenant reads that the deposit is returned, without a mention of a statement [DEP-05]', () => {
  expect(sentencesOf(deposit, true)).toEqual(['We hold $500.00. It goes back by Jun 16, 2026.'])
})
