import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '../common/dates.ts'
import { assignRunUids, diffPublished, groupConsecutiveNights, type Published } from './calendar-published.ts'

const row = (uid: string, start: string, end: string, change: Partial<Published> = {}): Published => ({
  uid,
  start: `2027-06-${start}`,
  end: `2027-06-${end}`,
  sequence: 4,
  changedAt: '2027-05-01T00:00:00.000Z',
  goneAt: null,
  ...change,
})
const at = '2027-05-02T00:00:00.000Z'
const gone = { goneAt: '2027-05-01T12:00:00.000Z' }

test('writes only new, moved, returned and removed stays [CAL-54]', () => {
  const stored = [
    row('same', '01', '03'),
    row('moved', '05', '07'),
    row('back', '10', '12', gone),
    row('gone', '15', '17'),
    row('still gone', '20', '22', gone),
  ]
  const wanted = [
    row('same', '01', '03'),
    row('moved', '05', '08'),
    row('back', '10', '12'),
    row('new', '25', '27'),
  ]
  expect(diffPublished(stored, wanted, at)).toEqual([
    row('moved', '05', '08', { sequence: 5, changedAt: at }),
    row('back', '10', '12', { sequence: 5, changedAt: at }),
    row('new', '25', '27', { sequence: 0, changedAt: at }),
    row('gone', '15', '17', { goneAt: at }),
  ])
  expect(diffPublished(stored.slice(0, 1), wanted.slice(0, 1), at)).toEqual([])
})

test('a run continues a current run before a removed one, and the latest of the removed ones [CAL-54]', () => {
  const named = (known: Published[]) => assignRunUids([row('', '01', '09')], known, () => 'new')[0]?.uid
  const older = { goneAt: '2027-05-01T06:00:00.000Z' }
  expect(named([row('gone', '01', '09', gone), row('standing', '08', '12')])).toBe('standing')
  expect(named([row('older', '01', '09', older), row('last', '08', '12', gone)])).toBe('last')
  expect(named([row('beside', '09', '12')])).toBe('new')
})

test('runs never share a UID, and an unchanged run keeps its UID, however nights are blocked and freed [CAL-54]', () => {
  const nights = fc.uniqueArray(fc.nat(15), { maxLength: 16 })
  fc.assert(
    fc.property(fc.array(nights, { maxLength: 12 }), steps => {
      let stored: Published[] = []
      let uids = 0
      for (const [step, blocked] of steps.entries()) {
        const dates = blocked
          .map(day => ({ date: addDays('2027-06-01', day) }))
          .sort((a, b) => (a.date < b.date ? -1 : 1))
        const runs = groupConsecutiveNights(dates).map(run => ({
          start: run[0]?.date ?? '',
          end: addDays(run.at(-1)?.date ?? '', 1),
        }))
        const named = assignRunUids(runs, stored, () => `uid-${uids++}`)
        expect(named.map(({ end, start }) => ({ start, end }))).toEqual(runs)
        expect(new Set(named.map(({ uid }) => uid)).size).toBe(runs.length)
        const standing = stored.filter(({ goneAt }) => goneAt === null)
        // A run that shares a night with current ones takes over a UID, unless other runs took them all.
        for (const { end, start, uid } of named) {
          const near = standing.filter(before => before.start < end && start < before.end)
          const used = new Set(named.map(each => each.uid))
          expect(near.length === 0 || near.some(before => before.uid === uid || used.has(before.uid))).toBe(
            true,
          )
        }
        for (const same of standing) {
          const run = named.find(({ end, start }) => start === same.start && end === same.end)
          if (run) expect(run.uid).toBe(same.uid)
        }
        const moment = `2027-05-02T00:00:${String(step).padStart(2, '0')}.000Z`
        const changed = new Map(diffPublished(stored, named, moment).map(each => [each.uid, each]))
        const before = new Map(stored.map(each => [each.uid, each]))
        for (const each of changed.values())
          if (each.goneAt === null) expect(each.sequence).toBe((before.get(each.uid)?.sequence ?? -1) + 1)
        stored = [...new Map([...before, ...changed]).values()]
      }
    }),
  )
})
