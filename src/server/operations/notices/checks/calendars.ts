import { calendarNotices } from '../../../bookings/calendars/notices.ts'
import type { Check } from '../notice.ts'

/** Double bookings, and calendars that cannot be read or have stopped working; `calendars/notices.ts` has the texts. */
export const calendars: Check = deps =>
  calendarNotices(deps).map(notice => ({
    ...notice,
    action: { kind: 'calendars' },
    ownMail: hasOwnMail.test(notice.id),
  }))

const hasOwnMail = /^calendar-(conflict|failing)-/
