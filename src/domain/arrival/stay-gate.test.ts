import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seed } from '../../testing/random.ts'
import { type GateFacts, type GateMoment, gateOf, type Missing, missingOf } from './stay-gate.ts'
import { formatTime } from './stay-messages.ts'

const money: Missing = { kind: 'payment', text: 'Pay $5.00', ownersText: '', path: '/' }
const lease: Missing = { kind: 'lease', text: 'Sign your lease', ownersText: '', path: '/' }
const settings = { checkIn: '16:00', checkOut: '10:00', hoursBefore: 48 }
const facts: GateFacts = {
  isBooked: true,
  startDate: '2026-06-10',
  endDate: '2026-06-20',
  missing: [],
  openedAt: null,
  hold: null,
}
const [opens, arrives, leaves] = ['2026-06-08T16:00:00Z', '2026-06-10T16:00:00Z', '2026-06-20T10:00:00Z']
const at = (iso: string, isClockWrong = false): GateMoment => ({
  now: new Date(iso),
  today: iso.slice(0, 10),
  timeZone: 'UTC',
  settings,
  isClockWrong,
})

test('the gate follows from the facts at each moment [STAY-07, STAY-08, STAY-10, STAY-11]', () => {
  const state = (change: Partial<GateFacts>, iso: string) => gateOf({ ...facts, ...change }, at(iso)).state
  expect([state({}, '2026-06-08T15:59:59Z'), state({}, opens), state({}, leaves)]).toEqual([
    'scheduled',
    'open',
    'closed',
  ])
  expect(state({ missing: [money] }, '2026-01-01T00:00:00Z')).toBe('locked')
  const openedAt = opens
  expect(state({ missing: [money], openedAt }, '2026-06-10T15:59:59Z')).toBe('locked')
  expect(state({ missing: [money], openedAt }, arrives)).toBe('open')
  expect(state({ missing: [lease], openedAt }, '2026-06-10T15:59:59Z')).toBe('locked')
  expect(state({ missing: [lease], openedAt }, arrives)).toBe('open')
  expect(state({ missing: [lease] }, arrives)).toBe('locked')
  expect(state({ missing: [money] }, arrives)).toBe('locked')
  expect(state({ hold: 'open', missing: [lease, money] }, '2026-01-01T00:00:00Z')).toBe('open')
  expect(state({ hold: 'open', isBooked: false }, arrives)).toBe('closed')
  expect(state({ hold: 'closed' }, arrives)).toBe('closed')
})

test('while the clock is wrong nothing opens by rule, and what was open stays open until the stay is over [STAY-12, STAY-14]', () => {
  const state = (change: Partial<GateFacts>, iso: string) =>
    gateOf({ ...facts, ...change }, at(iso, true)).state
  expect(state({}, arrives)).toBe('scheduled')
  expect(state({ openedAt: opens }, '2026-06-09T00:00:00Z')).toBe('open')
  expect(state({ openedAt: opens }, '2026-06-01T00:00:00Z')).toBe('scheduled')
  expect(state({ openedAt: '2027-01-01T00:00:00Z' }, arrives)).toBe('open')
  expect(state({ hold: 'open' }, '2026-06-01T00:00:00Z')).toBe('open')
  expect(state({ hold: 'closed', openedAt: opens }, arrives)).toBe('closed')
  // The real time is never earlier than this, so the stay is really over.
  expect(state({ openedAt: opens }, leaves)).toBe('closed')
})

type Step = {
  minutes: number
  change: Partial<Pick<GateFacts, 'isBooked' | 'hold' | 'startDate'>> & { owes?: boolean; signed?: boolean }
}

/** The rules again, told from one moment to the next instead of from facts. */
function secondModel() {
  let isKept = false
  return (now: Date, { hold, isBooked, startDate }: GateFacts, owes: boolean, signed: boolean) => {
    const arrival = Date.parse(`${startDate}T16:00:00Z`)
    const time = now.getTime()
    const isOver = time >= Date.parse(leaves)
    const mayOpen = (signed && !owes) || (isKept && time >= arrival)
    const byRule = mayOpen ? (time >= arrival - 48 * 3_600_000 ? 'open' : 'scheduled') : 'locked'
    const state = !isBooked || hold === 'closed' || isOver ? 'closed' : hold === 'open' ? 'open' : byRule
    if (state === 'open') isKept = true
    else if (time < arrival) isKept = false
    return state
  }
}

test('any order of money, leases, holds, statuses and dates gives the gate of a second model [STAY-07, STAY-11, STAY-12, STAY-13]', () => {
  const step: fc.Arbitrary<Step> = fc.record({
    minutes: fc.integer({ min: 0, max: 2000 }),
    change: fc.record(
      {
        owes: fc.boolean(),
        signed: fc.boolean(),
        isBooked: fc.constantFrom(true, true, true, false),
        hold: fc.constantFrom(null, null, 'open' as const, 'closed' as const),
        startDate: fc.constantFrom('2026-06-10', '2026-06-10', '2026-06-13'),
      },
      { requiredKeys: [] },
    ),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), steps => {
      const model = secondModel()
      let [now, known, owes, signed] = [new Date('2026-06-07T00:00:00Z'), facts, false, true]
      for (const { change, minutes } of steps) {
        now = new Date(now.getTime() + minutes * 60_000)
        owes = change.owes ?? owes
        signed = change.signed ?? signed
        const { owes: _, signed: __, ...more } = change
        known = { ...known, ...more, missing: [...(owes ? [money] : []), ...(signed ? [] : [lease])] }
        const moment = { ...at(now.toISOString()), now }
        const { checkInAt, state } = gateOf(known, moment)
        expect(state).toBe(model(now, known, owes, signed))
        // As the tick notes it.
        if (state === 'open') known = { ...known, openedAt: known.openedAt ?? now.toISOString() }
        else if (now < checkInAt) known = { ...known, openedAt: null }
      }
    }),
    { seed },
  )
})

test('says what is still missing, worded for the guest with a link and worded for the owner [STAY-09]', () => {
  const due = [{ cents: 1800_00, dueDate: '2026-12-01' }]
  const paid = { depositCents: 0, due: [], onItsWayCents: 0 }
  expect(missingOf('a', 'none', { depositCents: 500_00, due, onItsWayCents: 100 })).toMatchObject([
    { kind: 'lease', text: 'Your lease is being prepared', path: '/application/a' },
    { kind: 'deposit', text: 'Pay the deposit of $500.00', path: '/payment?applicationId=a' },
    { kind: 'payment', text: 'Pay $1,800.00, due Dec 1, 2026', path: '/payment?applicationId=a' },
    { kind: 'on_its_way', text: 'Your payment of $1.00 is on its way', path: '/application/a' },
  ])
  expect(missingOf('a', 'unsigned', paid)).toMatchObject([{ text: 'Sign your lease' }])
  const others = { text: 'Your lease waits for the other signatures', path: '/application/a' }
  expect(missingOf('a', 'partly_signed', paid)).toMatchObject([others])
  const owners = missingOf('a', 'unsigned', { depositCents: 500_00, due, onItsWayCents: 100 })
  expect(owners.map(({ ownersText }) => ownersText)).toEqual([
    'The signed lease',
    'Deposit of $500.00',
    '$1,800.00, due Dec 1, 2026',
    'A payment of $1.00, still on its way',
  ])
  expect(missingOf('a', 'signed', paid)).toEqual([])
  expect(['00:15', '12:00', '16:00'].map(formatTime)).toEqual(['12:15 AM', '12:00 PM', '4:00 PM'])
})
