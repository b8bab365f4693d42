import { expect, test } from 'vitest'
import {
  type DayApplication,
  type DayStay,
  monthNights,
  nextVisit,
  ownerTasks,
  stayingSentence,
  upcomingVisits,
} from './owner-day.ts'

const today = '2026-11-22'
const application = (
  name: string,
  step: DayApplication['step'],
  change: Partial<DayApplication> = {},
): DayApplication => ({
  applicationId: name,
  name,
  stay: { start: '2027-01-03', end: '2027-02-02' },
  step,
  ...change,
})
const of = (kind: NonNullable<DayApplication['step']>['kind'], amountCents = 0) => ({ kind, amountCents })

test('lists late money first, then requests that need an answer, each with one action [LOOK-15, LOOK-70]', () => {
  const tasks = ownerTasks([
    application('Helen', of('signature'), { since: 'lease of Nov 19, 2026' }),
    application('Sam', of('owed', 238_500)),
    application('Nina', null),
    application('Mia', of('answer')),
    application('Tessa', of('overdue', 216_648)),
    application('Ruth', of('return_deposit', 50_000)),
  ])
  expect(tasks.map(({ action, title }) => [title, action])).toEqual([
    ['Tessa is late with $2,166.48', 'Send reminder'],
    ['Mia is waiting for your answer', 'Decide'],
    ['Sam owes $2,385.00', 'Send reminder'],
    ['$500.00 from the deposit goes back to Ruth', 'Return $500.00'],
    ['Helen has not signed the lease yet', 'Write to the guest'],
  ])
  const partly = ownerTasks([application('Carla', { ...of('signature'), waitsFor: 'Theo Reyes' })])
  expect(partly).toMatchObject([{ title: 'Carla’s lease is waiting for Theo Reyes', action: 'Send Again' }])
  expect(tasks.at(-1)?.detail).toBe('Jan 3 – Feb 2, 2027 · 30 nights · lease of Nov 19, 2026')
})

test('offers to write to a guest who was already reminded today [LOOK-70]', () => {
  const [task] = ownerTasks([application('Sam', of('owed', 300), { isReminded: true })])
  expect(task).toMatchObject({
    action: 'Write to the guest',
    detail: 'Jan 3 – Feb 2, 2027 · 30 nights · reminded today',
  })
})

test('leaves out payments that are not due yet or still being processed', () => {
  const titles = (...applications: DayApplication[]) => ownerTasks(applications).map(({ title }) => title)
  expect(titles(application('Sam', of('upcoming', 300)))).toEqual([])
  expect(titles(application('Sam', of('on_its_way', 300)))).toEqual([])
  expect(titles(application('Sam', of('overdue', 300)))).toEqual(['Sam is late with $3.00'])
})

const stay = (name: string, start: string, end: string): DayStay => ({
  id: name,
  applicationId: name,
  name,
  stay: { start, end },
  guests: 2,
})

test('lists arrivals and departures a week ahead, departures first', () => {
  const visits = upcomingVisits(
    [
      stay('Gone', '2026-11-01', '2026-11-21'),
      stay('Nina', '2026-11-23', '2026-11-29'),
      stay('Tessa', '2026-11-01', '2026-11-23'),
      stay('Later', '2026-11-30', '2026-12-05'),
      { ...stay('A guest of Airbnb', '2026-11-29', '2026-11-30'), applicationId: null, guests: null },
    ],
    today,
  )
  expect(visits.map(({ day, title }) => `${day}: ${title}`)).toEqual([
    'Tomorrow: Tessa leaves',
    'Tomorrow: Nina arrives',
    'Sun, Nov 29: Nina leaves',
    'Sun, Nov 29: A guest of Airbnb arrives',
  ])
  expect(visits.map(({ detail }) => detail).slice(1)).toEqual([
    '6 nights · 2 guests',
    '6 nights · 2 guests',
    '1 night',
  ])
})

test('describes in a sentence who is staying, and names who comes next [LOOK-83]', () => {
  const staying = stay('Tessa', '2026-11-01', '2026-12-14')
  const nina = (start: string) => stay('Nina', start, '2027-12-31')
  expect(stayingSentence([nina('2026-12-25'), staying], today)).toBe('Tessa is staying until Dec 14.')
  expect(stayingSentence([], today)).toBe('')
  const days = ['2026-12-25', '2027-10-01', today].map(start =>
    nextVisit([staying, nina(start)], today, 'start'),
  )
  expect(days.map(next => next?.day)).toEqual(['Dec 25', 'Oct 1, 2027', 'Today'])
  expect(days[0]).toMatchObject({ applicationId: 'Nina', name: 'Nina' })
  expect(nextVisit([staying], today, 'start')).toBeUndefined()
  expect(nextVisit([nina('2026-12-25'), staying], today, 'end')).toMatchObject({
    name: 'Tessa',
    day: 'Dec 14',
  })
})

test('counts each booked night of the month once [LOOK-83]', () => {
  const stays = [stay('Before', '2026-10-20', '2026-11-03'), stay('Now', '2026-11-20', '2026-12-03')]
  expect(monthNights([...stays, stay('Twice', '2026-11-25', '2026-11-28')], today)).toEqual({
    booked: 13,
    all: 30,
  })
})
