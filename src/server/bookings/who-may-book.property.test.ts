import { and, eq, gt, isNull, ne } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applications, calendarEvents, claims, events, outbox, users } from '../../../db/schema.ts'
import { type ApplicationStatus, isBooked } from '../../domain/bookings/application-status.ts'
import { endOfDay, type Standing } from '../../domain/bookings/claim.ts'
import {
  addDays,
  clockToleranceMs,
  type DateRange,
  dateIn,
  datesInRange,
  overlaps,
} from '../../domain/common/dates.ts'
import { dayMs } from '../../domain/common/durations.ts'
import { AppError } from '../../domain/common/errors.ts'
import { dates, makePending } from '../../testing/build-application.ts'
import { calendarSite } from '../../testing/build-calendar.ts'
import { buildCsv, buildRow } from '../../testing/build-entry.ts'
import { scanPdf } from '../../testing/build-lease.ts'
import { buildOffer, offerPerson, offerToken } from '../../testing/build-offer.ts'
import { runUntilKilled } from '../../testing/resilience/killed-process.ts'
import { readStrictly } from '../../testing/strict-calendar.ts'
import { proven, testNow, visitor } from '../../testing/test-app.ts'
import { tickOffers } from '../applications/offers/tick.ts'
import { futureEventTime } from '../kernel/clock-skew.ts'
import { tickAddenda } from '../leases/addenda/close.ts'
import { uploadSignedAddendum } from '../leases/addenda/upload.ts'
import { uploadSignedLease } from '../leases/upload.ts'
import { verifyStore } from '../operations/backup/verify.ts'
import { updateConflicts } from './calendars/conflicts.ts'
import { syncPublished } from './calendars/published.ts'

const isLong = process.env.LONG !== undefined
const runs = Number(process.env.NIGHT_RUNS ?? (isLong ? 200 : 8))
const guestEmail = 'jon@guest.example'
const first = '2026-06-10'
/** All nights that anything in these runs can take. */
const shown = { start: '2026-05-30', end: '2026-08-10' }
const from = (offset: number, nights: number): DateRange => ({
  start: addDays(first, offset),
  end: addDays(first, offset + nights),
})

type Booking = {
  id: string
  status: ApplicationStatus
  stay: DateRange
  hasLease: boolean
  who: string
  /** As it was entered, where an addendum may have moved it. */
  entered?: DateRange
}
type Addendum = {
  id: string
  booking: Booking
  after: DateRange
  /** What it holds; also once it is over. */
  added: DateRange[]
  until: number
  isClosed: boolean
  accepted: string[]
}
/** An offer, or a promise to the tenant of `source`. */
type Offer = {
  id: string
  source: Booking | undefined
  who: string
  stay: DateRange
  state: 'open' | 'asked' | 'accepted' | 'ended'
  until: number
  /** Of a promise, the end of its own date. */
  last: number
  secureDays: number
  becameOf: Booking | undefined
  madeAt: number
  isAskedByOwner?: boolean
}
type Event = DateRange & { id: string; isGone: boolean }

/** The same rules once more, as simply as possible: lists, one clock, and each step drops first what is over. */
function naiveModel(turnover: number) {
  const bookings: Booking[] = []
  const addenda: Addendum[] = []
  const offers: Offer[] = []
  const events: Event[] = []
  const blocks = new Set<string>()
  let now = Date.parse(testNow)
  const isOpen = ({ isClosed, until }: Addendum) => !isClosed && until > now
  const touches = (ranges: DateRange[], night: string, around = 0) =>
    ranges.some(({ end, start }) => addDays(start, -around) <= night && night < addDays(end, around))
  const booked = (but?: Booking) =>
    bookings.filter(each => each !== but && isBooked(each.status)).map(({ stay }) => stay)
  const held = (but?: Booking) =>
    addenda.filter(each => isOpen(each) && each.booking !== but).flatMap(({ added }) => added)
  const asking = ({ stay, who }: Offer) =>
    bookings.some(each => each.status === 'pending' && each.who !== who && overlaps(each.stay, stay))
  /** As it is at this moment: a promise that nobody asks for any more is open again. */
  const present = (offer: Offer): Pick<Offer, 'state' | 'until'> =>
    offer.state !== 'asked' || offer.until > now || offer.isAskedByOwner || asking(offer)
      ? offer
      : { state: 'open', until: offer.last }
  const isLive = (offer: Offer) => {
    const { state, until } = present(offer)
    return (state === 'open' || state === 'asked') && until > now
  }
  const heldOffers = (but?: Offer) =>
    offers.filter(each => !each.source && each !== but && isLive(each)).map(({ stay }) => stay)
  const promises = () => offers.filter(each => each.source && isLive(each))
  const covers = (stay: DateRange, { end, start }: DateRange) => stay.start <= start && end <= stay.end
  const imported = () => events.filter(({ isGone }) => !isGone)
  const isFree = (stay: DateRange, but?: Booking, own?: Offer) =>
    datesInRange(stay).every(night => !touches([...booked(but), ...held(but), ...heldOffers(own)], night))
  /** Whether the owner may book all of them in this order; `who` is '' for somebody who has nothing yet. */
  const mayBookAll = (wanted: { stay: DateRange; who: string }[], but?: Booking) =>
    wanted.every(({ stay }) => isFree(stay, but)) &&
    promises().every(other => {
      // The first imported booking takes the nights promised to its tenant.
      const one = wanted.find(({ stay }) => overlaps(other.stay, stay))
      return !one || (other.who === one.who && covers(one.stay, other.stay))
    })
  return {
    bookings,
    addenda,
    events,
    offers,
    blocks,
    isFree,
    isLive,
    present,
    mayBookAll,
    /** Whether the owner may book it for this person; '' also for what is only kept. */
    mayBook: (stay: DateRange, who: string, but?: Booking) => mayBookAll([{ stay, who }], but),
    /** A booking takes what was promised to its tenant there. */
    takePromises: ({ who }: Booking, stay: DateRange) => {
      for (const each of offers)
        if (each.source && each.who === who && isLive(each) && overlaps(each.stay, stay)) each.state = 'ended'
    },
    at: () => now,
    move: (to: number) => {
      now = to
    },
    taken: (ranges: DateRange[]) => imported().filter(event => ranges.some(range => overlaps(range, event))),
    openOf: (booking: Booking) => addenda.find(each => each.booking === booking && isOpen(each)),
    drop: () => {
      for (const each of addenda) if (each.added.length > 0 && each.until <= now) each.isClosed = true
      for (const each of offers)
        if (each.state === 'open' || each.state === 'asked')
          Object.assign(each, isLive(each) ? present(each) : { state: 'ended' })
    },
    close: (booking: Booking) => {
      for (const each of addenda) if (each.booking === booking) each.isClosed = true
      for (const each of offers)
        if (each.state === 'accepted' ? each.becameOf === booking : each.source === booking)
          each.state = 'ended'
    },
    night: (night: string) => {
      const isWide = touches([...booked(), ...imported()], night, turnover)
      const isNear = touches([...held(), ...heldOffers()], night, turnover)
      const isPromised = touches(
        promises().map(({ stay }) => stay),
        night,
      )
      const seen: Standing | null = touches(booked(), night)
        ? 'booking'
        : touches(imported(), night)
          ? 'imported'
          : touches([...held(), ...heldOffers()], night)
            ? 'held'
            : isWide || isNear
              ? 'turnover'
              : blocks.has(night)
                ? 'blocked'
                : null
      const isHidden = isPromised && seen !== 'booking' && seen !== 'imported'
      return {
        seen,
        stands: isHidden ? ('promised' as const) : seen,
        exported: isWide ? 'Booked' : isNear || isPromised || blocks.has(night) ? 'Blocked' : null,
      }
    },
  }
}

const offset = fc.integer({ min: 0, max: 24 })
const nights = fc.integer({ min: 1, max: 6 })
const which = fc.nat(20)
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('enter' as const), offset, nights }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      offset,
      nights,
      gap: fc.integer({ min: -1, max: 6 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('addendum' as const),
      which,
      before: fc.integer({ min: -4, max: 4 }),
      after: fc.integer({ min: -4, max: 6 }),
      days: fc.integer({ min: 0, max: 6 }),
      override: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('offer' as const),
      offset,
      nights,
      hours: fc.integer({ min: 1, max: 72 }),
      secureDays: fc.constantFrom(0, 2),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('promise' as const),
      which,
      offset,
      nights,
      days: fc.integer({ min: 1, max: 9 }),
      secureDays: fc.constantFrom(0, 2),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('apply' as const), offset, nights }) },
  ...(['accept', 'refuse', 'take-back', 'ask'] as const).map(kind => ({
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant(kind), which }),
  })),
  ...(['sign', 'approve'] as const).map(kind => ({
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant(kind), which }),
  })),
  ...(['cancel', 'reject', 'withdraw', 'decline', 'vanish', 'tick'] as const).map(kind => ({
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant(kind), which }),
  })),
  ...(['event', 'block', 'free'] as const).map(kind => ({
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant(kind), offset, nights }),
  })),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('extend' as const),
      which,
      hours: fc.integer({ min: 1, max: 72 }),
      days: fc.integer({ min: 1, max: 9 }),
    }),
  },
  // Each starts a process: a share of the long run only.
  ...(isLong
    ? [
        {
          weight: 1,
          arbitrary: fc.record({
            kind: fc.constant('kill' as const),
            point: fc.constantFrom('in-claim-end', 'after-claim-tick', 'in-lapsing'),
          }),
        },
      ]
    : []),
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('clock' as const),
      to: fc.constantFrom<number | keyof typeof jumps>(-3 * dayMs, 3 * dayMs, 'before', 'at', 'after'),
      which,
    }),
  },
)
/** Two stays with a signed lease, between which two tenants ask for nights. */
const begin: Step[] = [0, 16].map(offset => ({ kind: 'enter', offset, nights: 4 }))
const jumps = { before: -1, at: 0, after: 1 }
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

async function openSite(turnover: number) {
  const app = await calendarSite({ env: { RATE_LIMITS: 'off' } })
  const owner = app.as(app.admin)
  const ben = await app.makeTenant()
  const guest = await app.makeTenant({ email: guestEmail })
  const model = naiveModel(turnover)
  await app.setTurnover(turnover)
  const feedId = await app.addFeed('Airbnb')
  const { url } = await app.calendars.createExport({ name: 'All', scope: 'platform' })
  for (const [offset, nights] of [
    [4, 6],
    [8, 6],
  ] as const) {
    const stay = from(offset, nights)
    const { id } = await makePending(app, app.tenant, dates(stay.start, stay.end))
    model.bookings.push({ id, status: 'pending', stay, hasLease: false, who: app.tenant.userId })
  }
  return { app, ben, guest, owner, model, feedId, path: new URL(url).pathname }
}
type Site = Awaited<ReturnType<typeof openSite>>

/** Takes the step in the program and in the model; both must refuse it, or neither. */
async function take(site: Site, step: Step): Promise<void> {
  const { app, ben, feedId, guest, model, owner } = site
  const { deps } = app
  const { timeZone } = deps.config.site
  const { addenda, blocks, bookings, events, offers } = model
  const endOf = (date: string) => Date.parse(endOfDay(date, timeZone))
  const today = () => dateIn(new Date(model.at()), timeZone)
  const attempt = async <Made>(isAllowed: boolean, run: () => Promise<Made>, then: (made: Made) => void) => {
    const made = await run().catch((error: Error & { code?: string }) => {
      // The page of an offer is gone some time after its end.
      if (!['CONFLICT', 'conflict', 'NOT_FOUND'].includes(error.code ?? '')) throw error
      return error
    })
    const outcome = made instanceof Error ? made.message : 'allowed'
    expect(outcome === 'allowed', `${JSON.stringify(step)}: ${outcome}`).toBe(isAllowed)
    if (made instanceof Error) return
    model.drop()
    then(made)
  }

  function answerBy({ stay }: Offer): number {
    const [day = ''] = [addDays(today(), 3), addDays(stay.start, -1)].sort()
    return endOf(day)
  }
  async function answer(offer: Offer, how: 'accept' | 'refuse' | 'take-back' | 'ask'): Promise<void> {
    const { id: claimId, secureDays, source, stay, who } = offer
    const isOpen = model.isLive(offer)
    const { state } = model.present(offer)
    const tenant = app.as({ role: 'tenant', userId: who, requestOrigin: { address: '', userAgent: '' } })
    const visit = app.as(visitor)
    const end = () => {
      offer.state = 'ended'
    }
    if (how === 'ask')
      return attempt(
        isOpen && source !== undefined && state === 'open',
        () => owner.offers.ask({ claimId }),
        () => Object.assign(offer, { state: 'asked', until: answerBy(offer), isAskedByOwner: true }),
      )
    if (how === 'take-back') return attempt(isOpen, () => owner.offers.withdraw({ claimId }), end)
    const token = offerToken(app, claimId)
    // A link issued while the clock was ahead is not valid yet.
    const isReached = isOpen && (source !== undefined || offer.madeAt <= model.at() + clockToleranceMs)
    if (how === 'refuse')
      return attempt(
        isReached,
        () =>
          source ? tenant.offers.decline({ claimId }) : visit.offers.declineByLink({ token, reason: 'No' }),
        end,
      )
    const totalCents = (await owner.offers.adminGet({ claimId })).claim.totalCents ?? 0
    const given = { totalCents, person: offerPerson }
    return attempt(
      isReached && model.isFree(stay, undefined, offer) && model.taken([stay]).length === 0,
      () =>
        source
          ? tenant.offers.accept({ claimId, ...given })
          : visit.offers.acceptByLink({ token, typedName: 'Anna Miller', ...given }),
      () => {
        const { acceptedApplicationId: id } = claimRow(claimId)
        const { userId } = applicationRow(id)
        const made: Booking = { id, status: 'approved', stay, hasLease: false, who: userId }
        bookings.push(made)
        const [day = ''] = [addDays(today(), secureDays), stay.start].sort()
        Object.assign(offer, {
          state: secureDays === 0 ? 'ended' : 'accepted',
          until: endOf(day),
          becameOf: made,
        })
      },
    )
  }
  const claimRow = (id: string) => {
    const row = deps.db.select().from(claims).where(eq(claims.id, id)).get()
    return { acceptedApplicationId: row?.acceptedApplicationId ?? '', version: row?.version ?? 0 }
  }
  const applicationRow = (id: string) => ({
    userId: deps.db.select().from(applications).where(eq(applications.id, id)).get()?.userId ?? '',
  })

  const renew = () =>
    deps.write(tx => {
      syncPublished(deps, tx)
      updateConflicts(deps, tx)
    })
  switch (step.kind) {
    case 'clock': {
      const ends = [addenda.at(-1), ...offers.slice(-2)].flatMap(each => each?.until ?? [])
      const until = ends[step.which % ends.length]
      if (typeof step.to === 'number') model.move(model.at() + step.to)
      else if (until !== undefined) model.move(until + jumps[step.to])
      return app.setNow(new Date(model.at()).toISOString())
    }
    case 'tick': {
      const isTrusted = futureEventTime(deps) === undefined
      await tickAddenda(deps)
      await tickOffers(deps)
      if (!isTrusted) return
      for (const each of addenda) if (each.until <= model.at()) each.isClosed = true
      model.drop()
      for (const each of offers)
        if (each.state === 'accepted' && each.until <= model.at()) {
          each.state = 'ended'
          if (each.becameOf) {
            each.becameOf.status = 'rejected'
            model.close(each.becameOf)
          }
        }
      return
    }
    case 'kill': {
      const env = { NOW: deps.clock.now().toISOString(), FAILPOINT: step.point }
      expect([0, 'SIGKILL']).toContain(await runUntilKilled(app, 'offer-process.ts', ['tick'], env))
      // The restart looks at once.
      return take(site, { kind: 'tick', which: 0 })
    }
    case 'event': {
      const range = from(step.offset, step.nights)
      const id = await app.addEvent(feedId, range.start, range.end)
      events.push({ ...range, id, isGone: false })
      return renew()
    }
    case 'vanish': {
      const event = events[step.which % events.length]
      if (!event) return
      event.isGone = !event.isGone
      const endedAt = event.isGone ? deps.clock.now().toISOString() : null
      await deps.write(tx =>
        tx.update(calendarEvents).set({ endedAt }).where(eq(calendarEvents.id, event.id)).run(),
      )
      return renew()
    }
    case 'block':
    case 'free': {
      const range = from(step.offset, step.nights)
      const isAvailable = step.kind === 'free'
      const isTaken = !model.isFree(range) || model.taken([range]).length > 0
      const change = { dates: datesInRange(range), isAvailable, reason: '' }
      return attempt(
        !isAvailable || !isTaken,
        () => owner.availability.setDates(change),
        () => {
          for (const night of datesInRange(range)) blocks[isAvailable ? 'delete' : 'add'](night)
        },
      )
    }
    case 'enter': {
      const stay = from(step.offset, step.nights)
      const entry = {
        firstName: 'Jon',
        lastName: 'Reyes',
        email: guestEmail,
        startDate: stay.start,
        endDate: stay.end,
      }
      return attempt(
        model.mayBook(stay, guest.userId) && model.taken([stay]).length === 0,
        async () => {
          const { application } = await owner.manualBookings.create({ ...entry, rentalAmount: 2500 })
          await uploadSignedLease(deps, proven(deps, app.admin), 'admin', {
            applicationId: application.id,
            content: scanPdf(),
            name: 'lease.pdf',
          })
          return application.id
        },
        id => {
          const made: Booking = {
            id,
            status: 'approved',
            stay,
            hasLease: true,
            who: guest.userId,
            entered: stay,
          }
          bookings.push(made)
          model.takePromises(made, stay)
        },
      )
    }
    case 'import': {
      const stays = [from(step.offset, step.nights), from(step.offset + step.nights + step.gap, step.nights)]
      const rows = stays.map((stay, at) => ({
        stay,
        who: at === 0 ? guest.userId : '',
        email: at === 0 ? guestEmail : `row-${bookings.length}@guest.example`,
      }))
      const isKnown = bookings.some(
        ({ entered, status }) =>
          entered?.start === stays[0]?.start && entered?.end === stays[0]?.end && isBooked(status),
      )
      const csv = buildCsv(
        rows.map(({ email, stay: { end, start } }) => buildRow({ email, start_date: start, end_date: end })),
      )
      return attempt(
        step.gap >= 0 && !isKnown && model.mayBookAll(rows) && model.taken(stays).length === 0,
        async () => {
          // All rows or none.
          const answer = await owner.manualBookings.import({ csv, dryRun: false }).catch((error: Error) => {
            throw error.message.includes('imported') ? new AppError('conflict', error.message) : error
          })
          // Until they prove their mailboxes, the stays are closed to them.
          const mailboxProvenAt = deps.clock.now().toISOString()
          await deps.write(tx =>
            tx.update(users).set({ mailboxProvenAt }).where(isNull(users.mailboxProvenAt)).run(),
          )
          return answer.rows.map(({ applicationNumber }) => applicationNumber ?? '')
        },
        numbers => {
          for (const [at, number] of numbers.entries()) {
            const row = deps.db.select().from(applications).where(eq(applications.number, number)).get()
            const { stay } = rows[at] ?? { stay: shown }
            const made: Booking = {
              id: row?.id ?? '',
              status: 'approved',
              stay,
              hasLease: false,
              who: row?.userId ?? '',
            }
            bookings.push(made)
            model.takePromises(made, stay)
          }
        },
      )
    }
    case 'apply': {
      const stay = from(step.offset, step.nights)
      const isShown = datesInRange(stay).every(night => model.night(night).seen === null)
      return attempt(
        isShown,
        () => makePending(app, ben, dates(stay.start, stay.end)),
        ({ id }) => {
          for (const each of offers)
            if (each.source && each.who !== ben.userId && each.state === 'open' && overlaps(each.stay, stay))
              if (model.isLive(each)) Object.assign(each, { state: 'asked', until: answerBy(each) })
          bookings.push({ id, status: 'pending', stay, hasLease: false, who: ben.userId })
        },
      )
    }
    case 'offer': {
      const stay = from(step.offset, step.nights)
      const email = `guest-${offers.length}@guest.example`
      const until = model.at() + step.hours * 3_600_000
      return attempt(
        model.mayBook(stay, '') && model.taken([stay]).length === 0,
        () =>
          owner.offers.make(
            buildOffer({
              startDate: stay.start,
              endDate: stay.end,
              email,
              secureDays: step.secureDays,
              until: new Date(until).toISOString(),
            }),
          ),
        ({ claim: { id } }) => {
          const { secureDays } = step
          const source = undefined
          offers.push({
            id,
            source,
            who: email,
            stay,
            state: 'open',
            until,
            last: 0,
            secureDays,
            becameOf: undefined,
            madeAt: model.at(),
          })
        },
      )
    }
    case 'extend': {
      const offer = offers.at(-1 - (step.which % 3))
      if (!offer) return
      const { id: claimId, source } = offer
      const { version } = claimRow(claimId)
      const day = addDays(today(), step.days)
      const until = source ? endOf(day) : model.at() + step.hours * 3_600_000
      const wanted = source ? day : new Date(until).toISOString()
      return attempt(
        model.isLive(offer),
        () => owner.offers.change({ claimId, version, until: wanted }),
        () => Object.assign(offer, { until, ...(offer.state === 'open' && { last: until }) }),
      )
    }
    case 'accept':
    case 'refuse':
    case 'take-back':
    case 'ask': {
      const offer = offers.at(-1 - (step.which % 3))
      return offer && answer(offer, step.kind)
    }
  }
  // Mostly one for which the step makes sense.
  const fitting = bookings.filter(
    ({ hasLease, status }) =>
      step.which % 5 === 0 ||
      (step.kind === 'approve' ? status !== 'approved' : status === 'approved' && hasLease),
  )
  const booking = fitting[step.which % fitting.length]
  if (!booking) return
  const { id, stay, status } = booking
  switch (step.kind) {
    case 'approve':
    case 'reject': {
      const to = step.kind === 'approve' ? 'approved' : 'rejected'
      if (status === to) return
      const isAllowed =
        to === 'approved'
          ? model.mayBook(stay, booking.who, booking) && model.taken([stay]).length === 0
          : status !== 'cancelled'
      return attempt(
        isAllowed,
        () => owner.applications.adminSetStatus({ id, status: to }),
        () => {
          booking.status = to
          if (to === 'rejected') model.close(booking)
          else model.takePromises(booking, stay)
        },
      )
    }
    case 'cancel':
      return attempt(
        status === 'approved',
        () => owner.cancellations.cancel({ applicationId: id, side: 'owner', reason: 'A pipe burst.' }),
        () => {
          booking.status = 'cancelled'
          model.close(booking)
        },
      )
    case 'promise': {
      const wanted = from(step.offset, step.nights)
      const until = addDays(today(), step.days)
      const isBooked = status === 'approved'
      const isFirst = !offers.some(each => each.source === booking && model.isLive(each))
      const isAsked = bookings.some(
        each => each.status === 'pending' && each.who !== booking.who && overlaps(each.stay, wanted),
      )
      const isAllowed = isBooked && isFirst && !isAsked && model.mayBook(wanted, '')
      const { secureDays } = step
      return attempt(
        isAllowed && model.taken([wanted]).length === 0,
        () =>
          owner.offers.promise({
            applicationId: id,
            startDate: wanted.start,
            endDate: wanted.end,
            until,
            secureDays,
            rentalAmount: 2000,
            depositAmount: 500,
          }),
        ({ claim }) =>
          offers.push({
            id: claim.id,
            source: booking,
            who: booking.who,
            stay: wanted,
            state: 'open',
            until: endOf(until),
            last: endOf(until),
            secureDays,
            becameOf: undefined,
            madeAt: model.at(),
          }),
      )
    }
    case 'addendum': {
      const after = { start: addDays(stay.start, step.before), end: addDays(stay.end, step.after) }
      const isSame = step.before === 0 && step.after === 0
      if (isSame || after.start >= after.end || after.start < shown.start || after.end > shown.end) return
      const added =
        after.end <= stay.start || stay.end <= after.start
          ? [after]
          : [
              { start: after.start, end: stay.start },
              { start: stay.end, end: after.end },
            ].filter(({ end, start }) => start < end)
      const validUntil = addDays(today(), step.days)
      const taken = model.taken(added)
      const isAllowed =
        status === 'approved' &&
        booking.hasLease &&
        !model.openOf(booking) &&
        model.mayBook(after, '', booking)
      return attempt(
        isAllowed && (step.override || taken.length === 0),
        () =>
          owner.addenda.make({
            applicationId: id,
            leaseStartDate: after.start,
            leaseEndDate: after.end,
            rentalAmount: 2500,
            validUntil,
            ...(step.override && { overrideCalendar: true as const }),
          }),
        ({ addendum }) => {
          const until = Date.parse(endOfDay(validUntil, timeZone))
          const accepted = taken.map(({ id }) => id)
          // Making one closes what is over of the same booking.
          for (const each of addenda) if (each.booking === booking) each.isClosed = true
          addenda.push({ id: addendum.id, booking, after, added, until, isClosed: false, accepted })
        },
      )
    }
  }
  const newest = addenda.at(-1 - (step.which % 2))
  if (!newest) return
  const isOpen = model.openOf(newest.booking) === newest
  switch (step.kind) {
    case 'sign': {
      const isRefused = model.taken(newest.added).some(({ id }) => !newest.accepted.includes(id))
      const others = newest.added.every(range => model.mayBook(range, '', newest.booking))
      return attempt(
        isOpen && others && !isRefused,
        () =>
          uploadSignedAddendum(deps, proven(deps, app.admin), {
            id: newest.id,
            content: scanPdf(),
            name: 'addendum.pdf',
          }),
        () => {
          newest.isClosed = true
          newest.booking.stay = newest.after
        },
      )
    }
    case 'withdraw':
      if (newest.isClosed) return
      return attempt(
        true,
        () => owner.addenda.withdraw({ addendumId: newest.id }),
        () => {
          newest.isClosed = true
        },
      )
    case 'decline': {
      return attempt(
        isOpen,
        () => app.as(guest).addenda.decline({ addendumId: newest.id, reason: 'No.' }),
        () => {
          newest.isClosed = true
        },
      )
    }
  }
}

/** Calendar, exports and nights of the program, and that no night is in two of its bookings and live claims. */
async function expectSame({ app, model, owner, path }: Site, after: string): Promise<void> {
  const { db } = app.deps
  const dates = datesInRange(shown)
  const wanted = dates.map(date => ({ date, ...model.night(date) }))
  const range = { startDate: shown.start, endDate: shown.end }
  const { nights } = await owner.bookings.nights(range)
  expect(
    nights.map(({ date, exported, stands }) => ({ date, stands, exported })),
    after,
  ).toEqual(wanted.map(({ seen: _, ...night }) => night))
  const rest = new URLSearchParams({ startDate: shown.start, endDate: addDays(shown.end, -1) })
  const { body } = await app.http.inject(`/api/availability?${rest}`)
  const answered = JSON.parse(body).availability as { date: string; isAvailable: boolean; reason: string }[]
  const reasons: Partial<Record<Standing, string>> = {
    booking: 'Booked',
    imported: 'Booked',
    held: 'Held',
    turnover: 'Turnover',
  }
  expect(
    answered.flatMap(({ date, isAvailable, reason }) => (isAvailable ? [] : [`${date} ${reason}`])),
    after,
  ).toEqual(
    wanted.flatMap(({ date, seen }) =>
      seen ? [`${date} ${seen === 'blocked' ? 'Unavailable' : reasons[seen]}`] : [],
    ),
  )
  // A calendar of a wrong clock would free nights on platforms.
  const isWrong = futureEventTime(app.deps) !== undefined
  const { rawPayload, statusCode } = await app.http.inject(path)
  expect(statusCode, after).toBe(isWrong ? 503 : 200)
  if (!isWrong)
    expect(exportedNights(rawPayload), after).toEqual(
      new Map(wanted.flatMap(({ date, exported }) => (exported ? [[date, exported] as const] : []))),
    )

  const now = app.deps.clock.now().toISOString()
  const live = db
    .select()
    .from(claims)
    .where(
      and(
        isNull(claims.endedAt),
        gt(claims.untilAt, now),
        ne(claims.kind, 'promise'),
        ne(claims.state, 'accepted'),
      ),
    )
    .all()
  const taken = [
    ...db
      .select()
      .from(applications)
      .all()
      .filter(({ status }) => isBooked(status))
      .map(({ stayEndDate, stayStartDate }) => ({ start: stayStartDate, end: stayEndDate })),
    ...live.map(({ endDate, startDate }) => ({ start: startDate, end: endDate })),
  ].flatMap(datesInRange)
  expect(taken, after).toHaveLength(new Set(taken).size)
}

/** What an export says of each night that it has, by date. */
function exportedNights(file: Buffer): Map<string, string> {
  const nights = readStrictly(file).events.flatMap(event => {
    const [start, end] = [dashed(event['DTSTART;VALUE=DATE']), dashed(event['DTEND;VALUE=DATE'])]
    const says = event.UID?.startsWith('block-') ? 'Blocked' : 'Booked'
    return datesInRange({ start, end }).map((night): [string, string] => [night, says])
  })
  // Of a night that is both, it is the booking that counts.
  return new Map(nights.sort(([a, is], [b, or]) => (a === b ? (is < or ? -1 : 1) : a < b ? -1 : 1)))
}

/** One event for each end, and each mail as often as what it tells has happened. */
function expectMailed({ deps: { db } }: Site['app']): void {
  const all = db.select().from(events).all()
  const mails = db.select().from(outbox).all()
  for (const { acceptedApplicationId, id, kind } of db.select().from(claims).all()) {
    const of = (event: string) => all.filter(each => each.subjectId === id && each.kind === event)
    const ends = of('claim.ended').map(({ detail }) => String(detail.endedAs))
    expect(ends.length).toBeLessThanOrEqual(1)
    const [end = 'live'] = ends
    const isOver =
      ['withdrawn', 'expired', 'passed'].includes(end) || (end === 'closed' && acceptedApplicationId === null)
    const wanted = {
      'offer-accepted': of('claim.accepted').length,
      'offer-declined': end === 'declined' && kind !== 'addendum' ? 1 : 0,
      'offer-lapsed': end === 'lapsed' ? 2 : 0,
      'offer-over': isOver && kind !== 'addendum' ? 1 : 0,
      'promise-asked': of('claim.asked').length,
    }
    const sent = mails.filter(({ props }) => props.claimId === id).map(mail => mail.kind)
    // A new time to answer is mailed as well.
    const isCounted = (mail: string) => mail !== 'promise-asked' || of('claim.changed').length === 0
    for (const [mail, times] of Object.entries(wanted).filter(([mail]) => isCounted(mail)))
      expect(sent.filter(each => each === mail).length, `${mail} of ${kind} ${end}`).toBe(times)
  }
}

const dashed = (text = '') => text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')

test(
  'over any order of bookings, offers, promises, addenda, events, blocks, kills and clock jumps no night is taken twice, calendar, exports and nights say what a second model says, and each end has one event and its mail; NIGHT_RUNS=200 for more [CLAIM-02, CLAIM-03, CLAIM-04, CLAIM-05, CLAIM-06, CLAIM-09]',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 1),
        fc.array(step, { minLength: 10, maxLength: 40 }),
        async (turnover, steps) => {
          const site = await openSite(turnover)
          for (const [index, each] of [...begin, ...steps].entries()) {
            await take(site, each)
            await expectSame(site, `after step ${index + 1}, ${JSON.stringify(each)}`)
          }
          expectMailed(site.app)
          expect((await verifyStore(site.app.deps.config, () => {})).faults).toEqual([])
        },
      ),
      { numRuns: runs, endOnFailure: true },
    )
  },
  runs * 37_500,
)
