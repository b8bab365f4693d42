import { addDays, type CalendarDate, type DateRange, overlaps } from '../common/dates.ts'
import type { PublishedStay } from './calendar-file.ts'

/** What exports last published for a stay, imported event or run of blocked nights; timestamps are UTC ISO strings. */
export type Published = PublishedStay & {
  /** When exports stopped including it. */
  goneAt: string | null
}

/**
 * The stays that exports must publish differently from now on. A change of dates and a return raise the sequence; a
 * removal keeps dates and sequence (CAL-54).
 * @param stored all current rows, and at least those removed rows that come back
 * @param wanted by UID, each once
 */
export function diffPublished(
  stored: readonly Published[],
  wanted: readonly (DateRange & { uid: string })[],
  at: string,
): Published[] {
  const known = new Map(stored.map(row => [row.uid, row]))
  const named = new Set(wanted.map(({ uid }) => uid))
  const changed = wanted.flatMap(({ end, start, uid }): Published[] => {
    const row = known.get(uid)
    if (row && row.goneAt === null && row.start === start && row.end === end) return []
    const sequence = row ? row.sequence + 1 : 0
    return [{ uid, start, end, sequence, changedAt: at, goneAt: null }]
  })
  const gone = stored.filter(({ goneAt, uid }) => goneAt === null && !named.has(uid))
  return [...changed, ...gone.map(row => ({ ...row, goneAt: at }))]
}

/**
 * Gives each run of blocked nights a UID. A run that shares a night with an earlier run keeps its UID, so that a run
 * that grows, shrinks or comes back stays the same event; of two pieces the earlier one keeps the UID (CAL-54).
 * @param runs by date
 */
export function assignRunUids<Run extends DateRange>(
  runs: readonly Run[],
  known: readonly Published[],
  newUid: () => string,
): (Run & { uid: string })[] {
  const uids = new Map<Run, string>()
  for (const row of [...known].sort(standingFirst)) {
    const run = runs.find(each => !uids.has(each) && overlaps(each, row))
    if (run) uids.set(run, row.uid)
  }
  return runs.map(run => ({ ...run, uid: uids.get(run) ?? newUid() }))
}

/** Sorts current runs first, by date, then removed ones, latest first. */
function standingFirst(a: Published, b: Published): number {
  if (a.goneAt !== b.goneAt) {
    if (a.goneAt === null || b.goneAt === null) return a.goneAt === null ? -1 : 1
    return a.goneAt > b.goneAt ? -1 : 1
  }
  return a.start < b.start ? -1 : 1
}

/** Splits nights, sorted by date, into runs of consecutive nights. */
export function groupConsecutiveNights<Night extends { date: CalendarDate }>(
  nights: readonly Night[],
): Night[][] {
  const runs: Night[][] = []
  for (const night of nights) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last && addDays(last.date, 1) === night.date) run.push(night)
    else runs.push([night])
  }
  return runs
}
