import { dayMs } from '../common/durations.ts'
import { timeOfDateIn } from '../common/zoned-time.ts'

/** Words about photos that are kept as evidence. */
export const evidenceTexts = {
  damaged: 'This file is damaged.',
  clockDoubtful: 'The server’s clock was in doubt.',
}

/** Error messages that only the server uses, kept apart so that screens do not load them. */
export const evidenceRefusals = {
  fileMissing: 'Please choose a photo',
  fileTooLarge: 'Please choose a photo of at most 10 MB',
  unreadable: 'This file could not be read. Please choose a JPEG or PNG of at most 50 megapixels.',
  tooMany: 'This stay has 600 photos already.',
  inDocument: 'This photo is part of a document.',
  notFound: 'Photo not found',
  removed: 'Photo removed',
  busy: 'The photo cannot be read at the moment. Please try again in a minute.',
}

export const maxEvidenceBytes = 10_485_760
export const maxEvidencePixels = 50_000_000
/** Of one application. */
export const maxEvidence = 600
export const maxPreviewSide = 1600
/** 30 mm in print. */
export const maxThumbnailSide = 360

/** Such as `Jun 1, 2027, 3:12:04 PM`, in the property's time zone; `short` without the seconds. */
export const formatReceived = (at: string, timeZone: string, timeStyle: 'medium' | 'short' = 'medium') =>
  new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium', timeStyle }).format(new Date(at))

/**
 * When the photo was taken according to the camera: shown beside the time received, and used for nothing else (EVID-03).
 * Converted to the property's time zone if the camera stored its UTC offset, otherwise unchanged.
 * Undefined if the camera recorded no time.
 */
export function cameraSentence(takenAt: string | null, timeZone: string): string | undefined {
  if (takenAt === null) return undefined
  const taken = hasOffset(takenAt)
    ? formatReceived(takenAt, timeZone, 'short')
    : formatReceived(`${takenAt}Z`, 'UTC', 'short')
  return `The camera says ${taken}. Not checked.`
}

const hasOffset = (takenAt: string): boolean => /[+-]\d\d:\d\d$/.test(takenAt.slice(19))

/** Whether the camera's time is more than a day before the time received: then both are in bold (EVID-03). */
export function isTakenLongBefore(
  { receivedAt, takenAt }: { receivedAt: string; takenAt: string | null },
  timeZone: string,
): boolean {
  if (takenAt === null) return false
  const [date = '', time = ''] = takenAt.slice(0, 16).split('T')
  const seconds = Number(takenAt.slice(17, 19))
  const taken = hasOffset(takenAt)
    ? Date.parse(takenAt)
    : timeOfDateIn(date, time, timeZone).getTime() + seconds * 1000
  return Date.parse(receivedAt) - taken > dayMs
}
