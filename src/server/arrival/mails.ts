import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { applications } from '../../../db/schema.ts'
import { isMissingEmail } from '../../domain/accounts/account-rules.ts'
import { type StayMail, stayMailsOf } from '../../domain/arrival/stay-mail.ts'
import { formatTime } from '../../domain/arrival/stay-messages.ts'
import { reviewsSection } from '../../domain/arrival/stay-settings.ts'
import { formatMomentDate, formatMomentTime, formatShortDate } from '../../domain/common/dates.ts'
import { createLink, issueToken } from '../auth/sessions/access-links.ts'
import { selectRecords } from '../bookings/records.ts'
import { nowIso } from '../kernel/deps.ts'
import type { MailSources } from '../mail/define-mail.ts'
import { mailState } from '../mail/outbox.ts'
import type { ScheduledMailSource } from '../mail/scheduled-mails.ts'
import { readSection } from '../site/settings.ts'
import { newestSection } from './arrival.ts'
import {
  changesOf,
  isOpenByHandOnly,
  listStays,
  maxDaysAfter,
  momentOf,
  readStay,
  type Stay,
} from './records.ts'

/** The thank-you mail is sent until nine days after departure; the owner may open a stay long before it begins. */
const [daysBack, daysAhead] = [10 + maxDaysAfter, 800]

/** The mails by the clock of booked stays (STAY-34). */
export const stayMails: ScheduledMailSource = {
  name: 'mails of stays',
  due: deps => {
    const { db } = deps
    if (!momentOf(deps, db).settings.enabled) return undefined
    const mails = listStays(deps, db, daysBack, daysAhead).flatMap(stay => {
      const { account, application } = stay.record
      if (isMissingEmail(account.email)) return []
      return mailsOf(stay)
        .filter(mail => isDue(db, stay, mail) && mailState(db, mail.key) === undefined)
        .map(({ key, kind, until }) => ({
          kind,
          to: account.email,
          dedupeKey: key,
          validUntil: until.toISOString(),
          props: { applicationId: application.id, key },
        }))
    })
    return mails.length > 0 ? { mails } : undefined
  },
}

const mailsOf = (stay: Stay): StayMail[] => {
  const { gate, moment, record, row } = stay
  const { id: applicationId, stayEndDate: endDate, stayStartDate: startDate } = record.application
  const openedAt = (isOpenByHandOnly(stay) ? row?.holdAt : row?.openedAt) ?? null
  return stayMailsOf({ ...moment, applicationId, startDate, endDate, gate, openedAt })
}

/** None for a moment before the capability was switched on, the booking, or the last change of dates. */
function isDue(db: Db, stay: Stay, mail: StayMail): boolean {
  const { now, settings } = stay.moment
  if (mail.at > now || now >= mail.until || settings.since === null || !isTrue(stay, mail)) return false
  const { changedAt } = changesOf(db, stay.record.application.id)
  return mail.at >= new Date(settings.since) && mail.at >= new Date(changedAt)
}

/** Whether a mail says something that is so now (STAY-35). */
const isTrue = ({ gate, isBooked, moment }: Stay, { kind }: StayMail): boolean =>
  moment.settings.enabled &&
  isBooked &&
  (kind !== 'stay-missing' || gate.state === 'locked') &&
  (kind !== 'stay-open' || gate.state === 'open')

/** The content of a mail at delivery; undefined once it is not true any more (STAY-35). */
export const stayMailFacts: MailSources['stay'] = async (deps, { applicationId, key, to }) => {
  const { db } = deps
  const record = selectRecords(db).where(eq(applications.id, applicationId)).get()
  const stay = record && readStay(deps, db, record)
  const mail = stay && mailsOf(stay).find(each => each.key === key)
  if (!mail || !isTrue(stay, mail)) return undefined
  const { firstName, number: applicationNumber, stayStartDate, userId } = record.application
  const { settings, timeZone } = stay.moment
  const leaves = stay.gate.checkOutAt.toISOString()
  const namesMissing = mail.kind === 'stay-missing' || mail.kind === 'stay-tomorrow'
  const missing = namesMissing && stay.gate.state === 'locked' ? stay.missing.map(({ text }) => text) : []
  // The link opens the account's review: a former address, or an account that is not proven, gets none.
  const isTheirs = to === record.account.email && record.isClosed === 0
  const asksForReview =
    isTheirs && mail.kind === 'stay-thanks' && readSection(db, reviewsSection).body.enabled
  const link = { kind: 'review', subjectId: applicationId, personId: userId } as const
  return {
    values: {
      firstName,
      applicationNumber,
      arrival: formatShortDate(stayStartDate),
      departure: formatMomentDate(leaves, timeZone),
      checkIn: formatTime(settings.checkIn),
      checkOut: formatMomentTime(leaves, timeZone),
    },
    isHere: stay.moment.now >= stay.gate.checkInAt,
    lines: mail.kind === 'stay-checkout' ? newestSection(db, 'checkout').body.items : missing,
    reviewToken: asksForReview
      ? await deps.write(tx => issueToken(tx, nowIso(deps), createLink(tx, nowIso(deps), link).id)?.token)
      : undefined,
  }
}
