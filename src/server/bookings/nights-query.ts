import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { claims, users } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { emailKey } from '../../domain/accounts/account-rules.ts'
import { nightRules, standings } from '../../domain/bookings/claim.ts'
import { datesInRange, nightsBetween } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { calendarDate } from '../../domain/common/inputs.ts'
import { recordId } from '../../domain/common/record-ids.ts'
import { maxStayNights } from '../../domain/common/stay.ts'
import { wireDate, wireMoment } from '../../domain/common/wire.ts'
import type { Deps } from '../kernel/deps.ts'
import { getSubmittedApplication } from './records.ts'
import { type Eyes, eyesOf, whoMayBook } from './who-may-book.ts'

/** A half-open range, as one person sees it: by email, by booking, or by what is held for somebody. */
export const nightsInput = z
  .object({
    startDate: calendarDate(),
    endDate: calendarDate(),
    email: z.string().max(320).optional(),
    applicationId: recordId.optional(),
    claimId: recordId.optional(),
  })
  .refine(
    ({ endDate, startDate }) => startDate < endDate && nightsBetween(startDate, endDate) <= maxStayNights,
    {
      path: ['endDate'],
      error: `Please ask for 1 to ${maxStayNights} nights`,
    },
  )
  .refine(
    ({ applicationId, claimId, email }) =>
      [applicationId, claimId, email].filter(each => each !== undefined).length <= 1,
    { path: ['email'], error: 'Please give one of email, applicationId and claimId' },
  )

export const nightView = z
  .strictObject({
    date: wireDate,
    stands: z.enum(standings).nullable(),
    applicationId: z.string().nullable(),
    feedId: z.string().nullable(),
    claimId: z.string().nullable(),
    who: z.string().nullable(),
    until: wireMoment.nullable(),
    apply: z.boolean(),
    book: z.boolean(),
    accept: z.boolean(),
    byHand: z.boolean(),
    publicReason: z.string().nullable(),
    exported: z.enum(['Booked', 'Blocked']).nullable(),
  })
  .meta({ id: 'Night' })
export type NightView = z.infer<typeof nightView>

/** Night by night, who may book it (CLAIM-06). @throws AppError not_found for an unknown booking or claim */
export function listNights(deps: Deps, actor: Admin, input: z.output<typeof nightsInput>): NightView[] {
  const range = { start: input.startDate, end: input.endDate }
  const found = whoMayBook(deps, deps.db, range, eyesFor(deps, actor, input))
  const nights = new Map(found.map(night => [night.date, night]))
  const nobody = { applicationId: null, feedId: null, claimId: null, who: null, until: null }
  return datesInRange(range).map((date): NightView => {
    const night = nights.get(date)
    if (!night) return { date, stands: null, ...nobody, ...nightRules.free, exported: null }
    const { accept, apply, book, booking, byHand, event, exported, publicReason, stands } = night
    const claim = night.claim ?? night.promise
    const uses = { apply, book, accept, byHand, publicReason, exported }
    const person =
      stands === 'booking' && booking
        ? { applicationId: booking.id, who: `${booking.firstName} ${booking.lastName}` }
        : stands === 'imported' && event
          ? { feedId: event.feedId, who: event.feedName }
          : claim && (stands === 'held' || stands === 'promised')
            ? { claimId: claim.id, applicationId: claim.applicationId, who: claim.who, until: claim.untilAt }
            : {}
    return { date, stands, ...nobody, ...person, ...uses }
  })
}

function eyesFor({ db }: Deps, actor: Admin, input: z.output<typeof nightsInput>): Eyes {
  const { applicationId, claimId, email } = input
  if (applicationId !== undefined)
    return eyesOf(db, getSubmittedApplication(db, actor, applicationId).application.id)
  if (email !== undefined) {
    const key = emailKey(email)
    const user = db.select({ id: users.id }).from(users).where(eq(users.emailKey, key)).get()
    return { userId: user?.id, emailKey: key }
  }
  if (claimId === undefined) return {}
  const claim = db.select().from(claims).where(eq(claims.id, claimId)).get()
  if (!claim) throw new AppError('not_found', 'This claim does not exist.')
  return { ...(claim.applicationId && eyesOf(db, claim.applicationId)), claimId }
}
