import { type CalendarDate, type DateRange, datesInRange } from '../../../domain/dates.ts'

/** The arrival, and the departure once it is chosen. */
export type StaySelection = { start: CalendarDate; end?: CalendarDate | undefined }

/** Whether the night that begins on a day is free, known to be so, and not past. */
type IsFree = (day: CalendarDate) => boolean

/**
 * What is chosen after a day was picked: the arrival first, then a later day as the departure when all nights between
 * are free (its own night need not be), else a new arrival. Picking the arrival again drops it. A day that can be
 * neither leaves the very same selection. `canArrive` narrows the arrivals further.
 */
export function chooseDay(
  selection: StaySelection | undefined,
  day: CalendarDate,
  isFree: IsFree,
  canArrive: (day: CalendarDate) => boolean = () => true,
): StaySelection | undefined {
  if (selection && !selection.end) {
    if (day === selection.start) return undefined
    if (day > selection.start && datesInRange({ start: selection.start, end: day }).every(isFree))
      return { start: selection.start, end: day }
  }
  return isFree(day) && canArrive(day) ? { start: day } : selection
}

/** The whole stay, when both ends are chosen. */
export function chosenStay(selection: StaySelection | undefined): DateRange | undefined {
  return selection?.end ? { start: selection.start, end: selection.end } : undefined
}
