import { count, eq } from 'drizzle-orm'
import { applications, rates, users } from '../../../db/schema.ts'
import type { Admin, SignedIn, Tenant, Whence } from '../../domain/access.ts'
import { type ApplicationFormValues, applicationForm } from '../../domain/application.ts'
import { addDays, addMonths, type CalendarDate, dateIn, startOfMonth } from '../../domain/dates.ts'
import { leaseTermsForm } from '../../domain/lease-generation.ts'
import { signLeaseInput } from '../../domain/lease-signing.ts'
import { manualPaymentInput } from '../../domain/payment.ts'
import { rateForm } from '../../domain/rate.ts'
import { createAccount } from '../accounts/create-account.ts'
import { setStatus } from '../applications/admin-service.ts'
import { createAndSubmit } from '../applications/service.ts'
import { setDates } from '../availability/service.ts'
import { markAsDemo } from '../demo-mark.ts'
import { type Deps, nowIso } from '../deps.ts'
import { generateLease } from '../leases/generate.ts'
import { signLease } from '../leases/sign.ts'
import { addManualPayment } from '../payments/manual.ts'
import { createRate } from '../rates/service.ts'

export const demoPassword = 'sandcastle'
const whence: Whence = { address: '127.0.0.1', userAgent: 'Demo data' }
const dayMs = 86_400_000

const guests = {
  maya: { firstName: 'Maya', lastName: 'Rivers', email: 'maya@guest.example', phone: '850-555-0123' },
  ben: { firstName: 'Ben', lastName: 'Castillo', email: 'ben@guest.example', phone: '404-555-0177' },
  noor: { firstName: 'Noor', lastName: 'Haddad', email: 'noor@guest.example', phone: '312-555-0164' },
}
type Guest = keyof typeof guests

/**
 * Fills an empty demo with what a season looks like: rates, blocked nights, and applications in every state. Made
 * through the services, the past ones with an earlier clock. Answers the logins to print, or undefined when the
 * database holds something already.
 */
export async function seedDemo(deps: Deps): Promise<string[] | undefined> {
  const adminId = deps.db.select({ id: users.id }).from(users).where(eq(users.role, 'admin')).get()?.id
  if (!deps.config.demo.seed || adminId === undefined || !isEmpty(deps)) return undefined
  await deps.write(tx => markAsDemo(tx, nowIso(deps)))
  const owner: Admin = { role: 'admin', userId: adminId, whence }
  const today = dateIn(deps.clock.now(), deps.config.site.timeZone)
  await seedRates(deps, owner, today)

  const ids = {} as Record<Guest, string>
  for (const [name, { email, firstName, lastName }] of Object.entries(guests) as [
    Guest,
    (typeof guests)[Guest],
  ][]) {
    const account = await createAccount(daysAgo(deps, 200), owner, 'tenant', {
      email,
      firstName,
      lastName,
      password: demoPassword,
    })
    ids[name] = account.id
  }
  const as = (name: Guest): Tenant => ({ role: 'tenant', userId: ids[name], whence })
  const month = (offset: number, day = 1) => addDays(startOfMonth(addMonths(today, offset)), day - 1)
  const book = (name: Guest, start: CalendarDate, nights: number, ago: number) =>
    apply(daysAgo(deps, ago), as(name), name, start, addDays(start, nights))

  // Past stays, completed and paid: what the revenue chart is made of.
  for (const [offset, name, rent] of [
    [-5, 'noor', 2400],
    [-3, 'ben', 2650],
    [-2, 'noor', 2800],
  ] as const) {
    const start = month(offset, 2)
    const then = daysAgo(deps, Math.abs(offset) * 31 + 20)
    const id = await book(name, start, 28, Math.abs(offset) * 31 + 40)
    await lease(then, owner, id, rent)
    await sign(then, as(name), id, name)
    await pay(then, owner, id, 'deposit', 50_000, '2001')
    await pay(then, owner, id, 'rent', rent * 100, '2002')
    await setStatus(then, owner, id, 'completed')
  }

  // Next month is booked, signed and half paid; the one after waits for its signature.
  const booked = await book('ben', month(1, 5), 21, 30)
  await lease(daysAgo(deps, 24), owner, booked, 2900)
  await sign(daysAgo(deps, 22), as('ben'), booked, 'ben')
  await pay(daysAgo(deps, 21), owner, booked, 'deposit', 50_000, '3104')
  await lease(daysAgo(deps, 3), owner, await book('maya', month(3, 1), 31, 8), 2750)

  // In review, and declined.
  await book('noor', month(5, 10), 14, 1)
  await setStatus(daysAgo(deps, 12), owner, await book('maya', month(2, 1), 5, 14), 'rejected')
  const dates = [1, 2, 3].map(day => month(4, 14 + day))
  await setDates(deps, owner, { dates, isAvailable: false, reason: 'Balcony repairs' })

  return Object.values(guests).map(({ email }) => `Demo tenant: ${email} / ${demoPassword}`)
}

function isEmpty({ db }: Deps): boolean {
  const rows = [applications, rates].map(table => db.select({ rows: count() }).from(table).get()?.rows)
  return rows.every(found => found === 0)
}

/** The same deps, at an earlier day. */
function daysAgo(deps: Deps, days: number): Deps {
  return { ...deps, clock: { now: () => new Date(deps.clock.now().getTime() - days * dayMs) } }
}

async function seedRates(deps: Deps, owner: Admin, today: CalendarDate): Promise<void> {
  const year = Number(today.slice(0, 4))
  for (const y of [year, year + 1]) {
    const periods = [
      ['Winter', `${y}-01-01`, `${y}-02-29`, 125, 145, 780, 2400, 7],
      ['Spring Break', `${y}-03-01`, `${y}-04-30`, 190, 225, 1250, 3600, 5],
      ['Early Summer', `${y}-05-01`, `${y}-05-31`, 175, 200, 1150, 3300, 5],
      ['Peak Summer', `${y}-06-01`, `${y}-08-15`, 235, 265, 1550, 4600, 7],
      ['Late Summer', `${y}-08-16`, `${y}-09-30`, 165, 190, 1080, 3100, 5],
      ['Autumn', `${y}-10-01`, `${y}-12-19`, 135, 155, 860, 2600, 5],
      ['Holidays', `${y}-12-20`, `${y}-12-31`, 225, 225, 1450, 4200, 4],
    ] as const
    for (const [name, start, end, nightly, weekendNight, weekly, monthly, minStay] of periods) {
      const startDate = start
      const endDate = end.endsWith('02-29') ? addDays(`${y}-03-01`, -1) : end
      if (endDate < today) continue
      const period = `${name} ${y}`
      await createRate(
        deps,
        owner,
        rateForm.parse({
          period,
          startDate,
          endDate,
          nightly,
          weekendNight,
          weekly,
          monthly,
          minStay,
          isActive: true,
        }),
      )
    }
  }
}

async function apply(
  deps: Deps,
  tenant: SignedIn,
  name: Guest,
  start: CalendarDate,
  end: CalendarDate,
): Promise<string> {
  const { firstName, lastName, phone } = guests[name]
  const values: ApplicationFormValues = {
    firstName,
    lastName,
    phone,
    secondApplicantFirstName: name === 'maya' ? 'Iván' : '',
    secondApplicantLastName: name === 'maya' ? 'Moreau' : '',
    address: { street: '4 Dune Road', city: 'Tallahassee', state: 'FL', zipCode: '32301' },
    requestedStartDate: start,
    requestedEndDate: end,
    additionalGuests: name === 'ben' ? [] : [{ firstName: 'Lea', lastName, isAdult: false }],
  }
  return (await createAndSubmit(deps, tenant, applicationForm.parse(values))).id
}

async function lease(deps: Deps, owner: Admin, id: string, rent: number): Promise<void> {
  await setStatus(deps, owner, id, 'approved')
  await generateLease(
    deps,
    owner,
    id,
    leaseTermsForm.parse({
      leaseStartDate: null,
      leaseEndDate: null,
      rentalAmount: rent,
      depositAmount: 500,
    }),
  )
}

async function sign(deps: Deps, tenant: Tenant, id: string, name: Guest): Promise<void> {
  const { firstName, lastName } = guests[name]
  await signLease(
    deps,
    tenant,
    signLeaseInput.parse({
      id,
      mode: 'type',
      typedName: `${firstName} ${lastName}`,
      typedName2: '',
      signatureImageBase64: '',
      signatureImageBase64_2: '',
      consent: true,
    }),
  )
}

async function pay(
  deps: Deps,
  owner: Admin,
  applicationId: string,
  paymentType: 'deposit' | 'rent',
  amount: number,
  checkNumber: string,
): Promise<void> {
  const paymentDate = dateIn(deps.clock.now(), deps.config.site.timeZone)
  await addManualPayment(
    deps,
    owner,
    manualPaymentInput.parse({ amount, paymentType, paymentDate, checkNumber, notes: '', applicationId }),
  )
}
