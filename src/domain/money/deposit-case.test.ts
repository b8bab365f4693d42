import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, formatShortDate, nightsBetween } from '../common/dates.ts'
import {
  type CaseFacts,
  deadlines,
  depositState,
  depositWarnings,
  nextDeadline,
  objectionUntil,
  type StatementFacts,
  tellsItems,
} from './deposit-case.ts'

const rule = { returnDays: 15, claimDays: 30, objectionDays: 15, restDays: 30 }
const held: CaseFacts = {
  today: '2026-06-01',
  rule,
  vacatedOn: '2026-06-01',
  isEnded: false,
  hasDates: true,
  creditedCents: 500_00,
  heldCents: 500_00,
  disputedCents: 0,
  onItsWayCents: 0,
  claimedCents: 0,
  statement: null,
  legs: [],
}
const sent: StatementFacts = {
  sentOn: '2026-06-10',
  objectionUntil: '2026-06-25',
  objectedAt: null,
  agreedAt: null,
  isCurrent: true,
}
const claimed = { ...held, claimedCents: 120_00, statement: sent }

test.each<[string, Partial<CaseFacts>, string]>([
  ['nothing was paid', { creditedCents: 0, heldCents: 0 }, 'unpaid'],
  ['the tenant is there', { today: '2026-05-31' }, 'held'],
  ['the tenant has left', {}, 'vacated'],
  ['nobody has stayed', { isEnded: true }, 'held'],
  ['an item is not told', { claimedCents: 1 }, 'drafted'],
  ['a statement was sent', claimed, 'claimed'],
  ['an item changed afterwards', { ...claimed, statement: { ...sent, isCurrent: false } }, 'drafted'],
  [
    'the tenant objected',
    { ...claimed, statement: { ...sent, objectedAt: 'x' }, today: '2027-01-01' },
    'objected',
  ],
  ['the last day to object', { ...claimed, today: '2026-06-25' }, 'claimed'],
  ['the day after it', { ...claimed, today: '2026-06-26' }, 'settled'],
  ['the tenant agreed', { ...claimed, statement: { ...sent, agreedAt: 'x' } }, 'settled'],
  ['a leg is under way', { legs: [{ state: 'sent', isOpen: true }] }, 'returning'],
  ['a leg has failed', { legs: [{ state: 'failed', isOpen: true }] }, 'returning'],
  ['it was returned in another way since', { legs: [{ state: 'failed', isOpen: false }] }, 'vacated'],
  ['nothing is held', { heldCents: 0, legs: [{ state: 'done', isOpen: true }] }, 'closed'],
  ['it is disputed', { ...claimed, heldCents: 0, disputedCents: 500_00 }, 'claimed'],
  ['a bank took it back', { creditedCents: 0, heldCents: 0, statement: sent }, 'unpaid'],
])('when %s, the deposit is %#: %s %s [DEP-05, DEP-26, DEP-42]', (_, change, state) => {
  expect(depositState({ ...held, ...change })).toBe(state)
})

test('a deposit is to be returned, else claimed, and after a statement its rest returned [DEP-12]', () => {
  const dates = (change: Partial<CaseFacts>) =>
    deadlines({ ...held, ...change }).map(({ date, daysLeft, kind }) => [kind, date, daysLeft])
  expect(dates({})).toEqual([['return', '2026-06-16', 15]])
  expect(dates({ today: '2026-06-16' })).toEqual([['return', '2026-06-16', 0]])
  expect(dates({ today: '2026-06-17' })).toEqual([
    ['return', '2026-06-16', -1],
    ['claim', '2026-07-01', 14],
  ])
  expect(dates({ claimedCents: 1 })).toEqual([['claim', '2026-07-01', 30]])
  expect(dates(claimed)).toEqual([['rest', '2026-07-10', 39]])
  // Nothing is left beside what is claimed or on its way.
  expect(dates({ ...claimed, claimedCents: 500_00 })).toEqual([])
  expect(dates({ ...claimed, onItsWayCents: 380_00 })).toEqual([])
  expect(dates({ heldCents: 0 })).toEqual([])
  expect(dates({ heldCents: 0, disputedCents: 1 })).toHaveLength(1)
  expect(dates({ hasDates: false })).toEqual([])
  // The last day on which the deposit can be claimed is no longer a way out.
  expect(dates({ today: '2026-07-02' })).toEqual([['claim', '2026-07-01', -1]])
  expect(nextDeadline({ ...held, today: '2026-06-20' })).toMatchObject({ kind: 'claim' })
  expect(nextDeadline({ ...held, today: '2026-07-20' })).toMatchObject({ kind: 'claim', daysLeft: -19 })
})

test('the board warns from 5 days before a date, and not before the tenant has left [DEP-14, DEP-15]', () => {
  const titles = (change: Partial<CaseFacts>) =>
    depositWarnings('Gabe Ellison', { ...held, ...change }).map(({ title, tone }) => [tone, title])
  expect(titles({ today: '2026-06-10' })).toEqual([])
  expect(titles({ today: '2026-06-11' })).toEqual([['warning', 'Gabe Ellison’s deposit: 5 days left']])
  expect(titles({ today: '2026-06-15' })).toEqual([['warning', 'Gabe Ellison’s deposit: 1 day left']])
  expect(titles({ today: '2026-06-16' })).toEqual([['warning', 'Gabe Ellison’s deposit: last day today']])
  expect(titles({ today: '2026-06-30' })).toEqual([
    ['danger', 'Gabe Ellison’s deposit: it was to be returned by Jun 16, 2026'],
    ['warning', 'Gabe Ellison’s deposit: 1 day left'],
  ])
  for (const change of [{ claimedCents: 1 }, {}, { rule: { ...rule, returnDays: 30 } }])
    expect(titles({ ...change, today: '2026-07-02' })).toEqual([
      ['danger', 'Gabe Ellison’s deposit: the time to claim ended on Jul 1, 2026'],
    ])
  expect(titles({ ...claimed, today: '2026-07-11' })).toEqual([
    ['danger', 'Gabe Ellison’s deposit: the rest was to be returned by Jul 10, 2026'],
  ])
  const early = { ...rule, returnDays: 1 }
  expect(titles({ rule: early, today: '2026-05-31' })).toEqual([])
})

test('while nothing is claimed, the date to claim is also one to return by [DEP-12, DEP-15]', () => {
  const details = (change: Partial<CaseFacts>) =>
    depositWarnings('Gabe Ellison', { ...held, today: '2026-06-30', ...change }).map(({ detail }) => detail)
  expect(details({})).toEqual([
    'Return it, or send a statement while there is time to claim.',
    'Return it or send a statement by Jul 1, 2026.',
  ])
  expect(details({ claimedCents: 1 })).toEqual(['Send the statement by Jul 1, 2026.'])
})

test('by post there are five days more to object [DEP-25]', () => {
  expect(objectionUntil(rule, 'email', '2026-06-16')).toBe('2026-07-01')
  expect(objectionUntil(rule, 'post', '2026-06-16')).toBe('2026-07-06')
})

test('a document tells items only as they are, in whatever order [DEP-24]', () => {
  const item = (id: string, amountCents = 1, photos: string[] = []) => ({
    id,
    category: 'damage' as const,
    label: 'x',
    amountCents,
    photos: photos.map(photo => ({ id: photo })),
  })
  expect(tellsItems([item('a'), item('b', 2, ['p', 'q'])], [item('b', 2, ['q', 'p']), item('a')])).toBe(true)
  for (const other of [[item('a')], [item('a'), item('b', 3)], [item('a'), item('b', 2, ['p'])]])
    expect(tellsItems([item('a'), item('b', 2, ['p', 'q'])], other)).toBe(false)
})

test('whatever happened, no date is before the day of leaving, days left count to it, and only what is there has one [DEP-12]', () => {
  const days = fc.integer({ min: 0, max: 120 })
  const cents = fc.integer({ min: 0, max: 500_00 })
  const anyRule = fc.record({ returnDays: days, claimDays: days, objectionDays: days, restDays: days })
  fc.assert(
    fc.property(
      // Before both clock changes of a year.
      fc.constantFrom('2026-01-20', '2026-09-20'),
      anyRule,
      days,
      days,
      days,
      cents,
      cents,
      cents,
      fc.boolean(),
      (from, of, left, sentAfter, now, a, b, c, isSent) => {
        const vacatedOn = addDays(from, left)
        const today = addDays(vacatedOn, now)
        const statement = isSent ? { ...sent, sentOn: addDays(vacatedOn, sentAfter) } : null
        const amounts = { heldCents: a, claimedCents: b, disputedCents: c }
        const facts = { ...held, ...amounts, rule: of, vacatedOn, today, statement }
        const all = deadlines(facts)
        if (a + c === 0) expect(all).toEqual([])
        for (const { date, daysLeft, kind } of all) {
          expect(date >= vacatedOn).toBe(true)
          const start = kind === 'rest' ? (statement?.sentOn ?? '') : vacatedOn
          expect(nightsBetween(start, date)).toBe(of[`${kind}Days`])
          expect(addDays(today, daysLeft)).toBe(date)
          if (kind === 'rest') expect(a).toBeGreaterThan(b)
        }
        for (const { title, tone } of depositWarnings('N', facts))
          if (tone === 'danger')
            expect(all.some(({ date }) => date < today && title.includes(formatShortDate(date)))).toBe(true)
      },
    ),
  )
})
