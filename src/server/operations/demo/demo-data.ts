import { randomUUID } from 'node:crypto'
import { count, eq } from 'drizzle-orm'
import { applications, outbox, rates, users } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { bookingEntry } from '../../../domain/bookings/booking-entry.ts'
import { offerForm, promiseForm } from '../../../domain/bookings/offer-form.ts'
import { addDays, addMonths, type CalendarDate, datesInRange } from '../../../domain/common/dates.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { middayIn } from '../../../domain/common/zoned-time.ts'
import { notPaidOverCents } from '../../../domain/money/books.ts'
import { depositSection } from '../../../domain/money/deposit-input.ts'
import { bankSection, planSection, planSettingsForm } from '../../../domain/money/payment-plan-form.ts'
import { calendarFile, calendarPath, calendarUrl } from '../../../sandbox/calendar-feed.ts'
import { enterBooking } from '../../applications/manual/enter-booking.ts'
import { acceptOwn } from '../../applications/offers/accept.ts'
import { withdrawOffer } from '../../applications/offers/change-offer.ts'
import { makeOffer } from '../../applications/offers/make-offer.ts'
import { askNow, makePromise } from '../../applications/offers/promise.ts'
import { anybodyExists, findUserByEmail } from '../../auth/sessions/users.ts'
import { setDates } from '../../bookings/availability.ts'
import { addFeed } from '../../bookings/calendars/add-feed.ts'
import { editFeed } from '../../bookings/calendars/edit-feed.ts'
import { createExport } from '../../bookings/calendars/exports.ts'
import { listFeedRows } from '../../bookings/calendars/records.ts'
import { feedAddress } from '../../bookings/calendars/stored-address.ts'
import { createRate, removeRate } from '../../bookings/rates.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { selfOrigin } from '../../kernel/config.ts'
import { isMarkedAsDemo, markAsDemo } from '../../kernel/demo-mark.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { countAsSent, discardMails } from '../../mail/outbox.ts'
import { closeYear } from '../../money/books/closings.ts'
import { loadBooks } from '../../money/books/records.ts'
import { noteRemittance } from '../../money/books/remittances.ts'
import { shippedContent } from '../../site/content/shipped-content.ts'
import { insertVersion } from '../../site/editor/records.ts'
import { saveSection as saveContent } from '../../site/editor/save-section.ts'
import { saveDeposit } from '../../site/save-deposit.ts'
import { saveSection } from '../../site/settings.ts'
import { markCriticalNoticesMailed } from '../notices/daily-mail.ts'
import { seedArrival } from './arrival.ts'
import { seedConversations } from './conversations.ts'
import {
  blockedNights,
  demoGuests,
  demoPassword,
  emailOf,
  enteredBooking,
  enteredDaysAgo,
  type Guest,
} from './guests.ts'
import { demoRates, pastRates } from './rates.ts'
import { seedGuest } from './seed-guest.ts'
import { openSeedRuntime, type SeedRuntime, withProof } from './seed-runtime.ts'

/** An offer that ends tomorrow, one that was withdrawn, and the weeks of a past stay, promised again. */
export async function seedOffers(deps: Deps, admin: Admin, today: string): Promise<void> {
  if (!deps.mail) return
  const pastStay = (firstName: string) => {
    const stay = deps.db.select().from(applications).where(eq(applications.firstName, firstName)).get()
    if (!stay) throw new Error(`The demo has no stay of ${firstName}.`)
    return stay
  }
  const fortnight = (months: number) => {
    const startDate = addDays(`${addMonths(today, months).slice(0, 8)}01`, 7)
    return { startDate, endDate: addDays(startDate, 14) }
  }
  const offer = (more: object) =>
    makeOffer(deps, admin, offerForm.parse({ guests: 2, rentalAmount: 2400, depositAmount: 500, ...more }))
  const tomorrow = new Date(deps.clock.now().getTime() + dayMs).toISOString()
  const anna = { firstName: 'Anna', lastName: 'Miller', email: 'anna@guest.example' }
  const message = 'We would love to have you back next year.'
  await offer({ ...anna, ...fortnight(13), until: tomorrow, message })
  const greg = { firstName: 'Greg', lastName: 'Stone', email: 'greg@guest.example' }
  const { claim } = await offer({ ...greg, ...fortnight(14) })
  await withdrawOffer(deps, admin, claim.id, 'We are renewing the kitchen then.')
  const { email, firstName, id, lastName, userId } = pastStay('Walter')
  const walter = { applicationId: id, email, firstName, lastName }
  const { claim: accepted } = await offer({ ...walter, ...fortnight(17) })
  const tenant = { role: 'tenant', userId, requestOrigin: admin.requestOrigin } as const
  await acceptOwn(deps, tenant, accepted.id, { totalCents: accepted.totalCents ?? 0 })
  const again = { rentalAmount: 2600, depositAmount: 500 }
  const promise = (name: string, months: number) =>
    makePromise(
      deps,
      admin,
      promiseForm.parse({ applicationId: pastStay(name).id, ...fortnight(months), ...again }),
    )
  await promise('Ruth', 15)
  await askNow(deps, admin, (await promise('Dana', 16)).claim.id)
}

const note = 'The words and pictures that come with the site'
const waitingText =
  'A quiet two-bedroom condo with a wide balcony, ten feet from the beach. Come for a week, stay the season, and bring a book.'

/** Publishes the shipped content as version 1, and changes a sentence of the hero in the draft. */
export async function seedSite(deps: Deps, admin: Admin): Promise<void> {
  await deps.write(tx => {
    const at = nowIso(deps)
    const version = insertVersion(
      tx,
      { at, actorId: admin.userId, note, source: 'publish', changed: [] },
      shippedContent,
    )
    recordEvent(tx, at, admin, 'site.published', String(version), { source: 'publish', note, changed: '' })
  })
  const body = { ...shippedContent.hero, text: waitingText }
  await saveContent(deps, admin, { section: 'hero', version: 0, body })
}

/** Pays over the tax of the one taxed stay, and closes last year. */
export async function seedBooks(deps: Deps, admin: Admin, today: CalendarDate): Promise<void> {
  const taxed = demoGuests(today).find(({ isTaxed }) => isTaxed)
  const { movements, taxes } = loadBooks(deps)
  for (const { taxRuleId } of taxes)
    await noteRemittance(deps, admin, {
      taxRuleId,
      amountCents: notPaidOverCents(movements, taxRuleId),
      paidOn: addDays(taxed?.stay.start ?? today, 20),
      reference: 'DR-15',
      requestId: randomUUID(),
    })
  await closeYear(deps, admin, Number(today.slice(0, 4)) - 1)
}

/** The default settings, with a late fee for plans that the owner chooses. */
const demoPlanSettings = planSettingsForm.parse({
  lateFee: { kind: 'fixed', cents: 50_00, graceDays: 5 },
})

/** Marks an empty database as the demo's, so that production does not start on it. Call before creating an admin. */
export async function markEmptyDatabaseAsDemo(deps: Deps): Promise<void> {
  const { config, db, write } = deps
  if (config.mode === 'production' || anybodyExists(db) || !isEmpty(deps)) return
  await write(tx => markAsDemo(tx, nowIso(deps)))
}

/**
 * Seeds the demo through the services: rates, blocked nights, guests with their leases, payments and mails. Returns
 * false without an admin, if there are applications or rates already, or if the database is not the demo's.
 */
export async function seedDemo(deps: Deps): Promise<boolean> {
  const { config, clock, db } = deps
  const owner = db.select().from(users).where(eq(users.role, 'admin')).get()
  if (config.mode === 'production' || !isMarkedAsDemo(db) || !owner) return false
  const today = todayAt(deps)
  const admin: Admin = {
    role: 'admin',
    userId: owner.id,
    requestOrigin: { address: '127.0.0.1', userAgent: 'Demo data' },
  }
  if (!isEmpty(deps)) {
    await withProof(deps, admin, proven => updateSandboxFeedUrl(deps, proven))
    return false
  }
  const past: string[] = []
  await withProof(deps, admin, async proven => {
    for (const rate of pastRates(today)) past.push((await createRate(deps, proven, rate)).id)
    for (const rate of demoRates(today)) await createRate(deps, proven, rate)
    const body = depositSection.body.parse({ enabled: true, since: addMonths(today, -13) })
    await saveDeposit(deps, proven, depositSection, { version: 0, body })
  })
  await saveSection(deps, admin, bankSection, { version: 0, body: { enabled: true } })
  await saveSection(deps, admin, planSection, { version: 0, body: demoPlanSettings })

  const runtime = openSeedRuntime(deps)
  try {
    for (const guest of demoGuests(today)) {
      // The owner's email about a new application names the free nights of that moment.
      if (guest.outcome === 'pending') await seedNights(runtime, deps, admin)
      const mailsBefore = mailIds(deps)
      await seedGuest(runtime, admin, guest, clock.now())
      if (!guest.loginDescription) await keepAsSent(deps, mailsBefore)
    }
    for (const id of past) await removeRate(deps, admin, id)
    await seedConversations(runtime, admin, clock.now())
  } finally {
    await runtime.close()
  }
  await withProof(deps, admin, async proven => {
    const mailsBefore = mailIds(deps)
    await seedArrival(deps, proven)
    await seedOffers(deps, proven, today)
    await keepAsSent(deps, mailsBefore)
  })
  await seedBooks(deps, admin, today)
  await seedSite(deps, admin)
  // Notices about seeded data are not mailed to the owner, only later ones.
  await deps.write(tx => markCriticalNoticesMailed(deps, tx))
  // Never sent to a real mail server.
  if (!config.mailbox) await deps.write(tx => discardMails(tx, []))
  return true
}

/** The demo tenants' logins for the terminal; undefined if there are none. */
export async function demoLogins({ config, clock, db, passwords }: Deps): Promise<string | undefined> {
  if (config.mode === 'production' || !isMarkedAsDemo(db)) return undefined
  const shown = demoGuests(todayAt({ clock, config })).filter(guest => guest.loginDescription)
  const lines = await Promise.all(
    shown.map(async (guest: Guest) => {
      const user = findUserByEmail(db, emailOf(guest))
      const fits = user && (await passwords.verify(user.passwordHash, demoPassword))
      return fits ? [`  ${emailOf(guest).padEnd(20)} ${guest.loginDescription}`] : []
    }),
  )
  if (lines.flat().length === 0) return undefined
  return `Demo tenants, all with the password ${demoPassword}:\n${lines.flat().join('\n')}`
}

function isEmpty({ db }: Deps): boolean {
  const rows = [applications, rates].map(table => db.select({ rows: count() }).from(table).get()?.rows ?? 0)
  return rows.every(number => number === 0)
}

const mailIds = ({ db }: Deps): string[] =>
  db
    .select({ id: outbox.id })
    .from(outbox)
    .all()
    .map(mail => mail.id)

/** Mails of guests without a demo login were sent in their time, so that the mailbox stays short. */
const keepAsSent = ({ write }: Deps, except: string[]): Promise<void> => write(tx => countAsSent(tx, except))

/** Bookings that the owner enters, blocked nights, and nights booked on another platform. */
async function seedNights({ deps: then, setNow }: SeedRuntime, deps: Deps, admin: Admin): Promise<void> {
  const today = todayAt(deps)
  setNow(new Date(middayIn(addDays(today, -enteredDaysAgo), deps.config.site.timeZone)))
  const entry = bookingEntry.parse(enteredBooking(today, deps.mail !== undefined))
  await withProof(then, admin, proven => enterBooking(then, proven, entry))
  await withProof(deps, admin, async proven => {
    for (const { nights, reason } of blockedNights(today))
      await setDates(deps, proven, { dates: datesInRange(nights), isAvailable: false, reason })
    await seedCalendars(deps, proven)
  })
}

/** Seeds a feed of a platform and an export of each kind. */
async function seedCalendars(deps: Deps, admin: Admin): Promise<void> {
  const today = todayAt(deps)
  const { feed } = await addFeed(withSandbox(deps), admin, {
    name: 'Airbnb',
    url: calendarUrl(selfOrigin(deps.config), today),
    provider: 'airbnb',
  })
  await createExport(deps, admin, { name: 'For Airbnb', scope: 'platform', feedId: feed.id })
  await createExport(deps, admin, { name: 'Cleaner', scope: 'cleaning', feedId: null })
  await createExport(deps, admin, { name: 'My own', scope: 'owner', feedId: null })
}

/** Updates the feed's URL when the demo, and so its sandbox, starts on another port. */
async function updateSandboxFeedUrl(deps: Deps, admin: Admin): Promise<void> {
  const origin = selfOrigin(deps.config)
  for (const row of listFeedRows(deps.db)) {
    const { id } = row
    const address = URL.parse(feedAddress(deps, row) ?? '')
    if (address?.pathname !== calendarPath || address.origin === origin) continue
    const moved = calendarUrl(origin, address.searchParams.get('from') ?? '')
    await editFeed(withSandbox(deps), admin, id, { url: moved })
  }
}

/** Allows the site to read the sandbox's calendar at its own address. */
const withSandbox = (deps: Deps): Deps => ({
  ...deps,
  config: { ...deps.config, fetchAllow: [selfOrigin(deps.config)] },
  fetchCalendar: fetchFromSandbox,
})

/** Stubs the request, as the site does not listen yet while the demo is seeded. */
const fetchFromSandbox: Deps['fetchCalendar'] = async ({ url }) => ({
  kind: 'answered',
  status: 200,
  notModified: false,
  headers: {},
  etag: undefined,
  lastModified: undefined,
  body: Buffer.from(calendarFile(new URL(url).searchParams.get('from') ?? '') ?? ''),
})
