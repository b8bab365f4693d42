import {
  type CalendarDate,
  type DateRange,
  datesInRange,
  isCalendarDate,
} from '../../../domain/common/dates.ts'

/** The arrival, and the departure once it has been chosen. */
export type StaySelection = { start: CalendarDate; end?: CalendarDate | undefined }

/** Whether the night that starts on a day is not past and known to be free. */
type IsFree = (day: CalendarDate) => boolean

/**
 * The selection after a day was clicked. The first day is the arrival. A later day becomes the departure if all nights
 * in between are free (the night of the departure does not matter), else nothing changes. Clicking the arrival again
 * clears the selection.
 * A day that can be neither returns the same selection object. `canArrive` restricts the arrivals further.
 */
export function chooseDay(
  selection: StaySelection | undefined,
  day: CalendarDate,
  isFree: IsFree,
  canArrive: (day: CalendarDate) => boolean = () => true,
): StaySelection | undefined {
  if (selection && !selection.end) {
    if (day === selection.start) return undefined
    // A typed arrival may be taken: no departure fits it, so a click chooses another arrival.
    if (day > selection.start && isFree(selection.start))
      return datesInRange({ start: selection.start, end: day }).every(isFree)
        ? { start: selection.start, end: day }
        : selection
  }
  return isFree(day) && canArrive(day) ? { start: day } : selection
}

/** The complete stay, if both dates have been chosen. */
export function chosenStay(selection: StaySelection | undefined): DateRange | undefined {
  return selection?.end ? { start: selection.start, end: selection.end } : undefined
}

/** The stay of two typed dates, if both are given and in order. */
export function typedStay(start: string, end: string): DateRange | undefined {
  return isCalendarDate(start) && isCalendarDate(end) && start < end ? { start, end } : undefined
}

/** The typed dates as they are shown in the calendar. */
export function typedSelection(start: string, end: string): StaySelection | undefined {
  return isCalendarDate(start) ? (typedStay(start, end) ?? { start }) : undefined
}
