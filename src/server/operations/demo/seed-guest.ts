import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { projectRoot } from '../../../../db/project-root.ts'
import { payments } from '../../../../db/schema.ts'
import { type Admin, system, type Tenant } from '../../../domain/accounts/access.ts'
import { applicationForm } from '../../../domain/bookings/application-form.ts'
import { addDays, type CalendarDate, dateIn } from '../../../domain/common/dates.ts'
import { hourMs } from '../../../domain/common/durations.ts'
import { cardFeeCents } from '../../../domain/common/money.ts'
import { startOfDateIn } from '../../../domain/common/zoned-time.ts'
import { noticeSha256 } from '../../../domain/leases/lease-signing.ts'
import { inviteForm } from '../../../domain/leases/signing-input.ts'
import { taxRuleForm } from '../../../domain/money/charge-rule.ts'
import { statementForm } from '../../../domain/money/deposit-input.ts'
import { laterChargeForm } from '../../../domain/money/later-charge.ts'
import type { PayableType } from '../../../domain/money/payment.ts'
import { checkoutInput } from '../../../domain/money/payment-input.ts'
import { createAndSubmit } from '../../applications/create.ts'
import { setStatus } from '../../applications/set-status.ts'
import { createAccount } from '../../auth/accounts/create-account.ts'
import { getApplicationRecord, getSubmittedApplication } from '../../bookings/records.ts'
import { type Deps, todayAt } from '../../kernel/deps.ts'
import { generateLease } from '../../leases/generate.ts'
import { signLease } from '../../leases/sign.ts'
import { inviteSigners } from '../../leases/signing/invite.ts'
import { createTaxRule } from '../../money/charge-rules.ts'
import { addItem, addItemPhoto } from '../../money/deposits/items.ts'
import { keepItems, returnDeposit } from '../../money/deposits/settle.ts'
import { agreeTo, sendStatement } from '../../money/deposits/statements.ts'
import { insertLaterCharge } from '../../money/later-charges.ts'
import { createCheckoutSession } from '../../money/payments/checkout/checkout.ts'
import { storePayment, storeReturn } from '../../money/payments/manual-payments.ts'
import { dismissUnexpectedPayment } from '../../money/payments/unexpected-payments.ts'
import { showPlan } from '../../money/queries.ts'
import { moneyOf } from '../../money/records.ts'
import { currentSite } from '../../site/content/published.ts'
import { cancelDemoStay, extendStay } from './changes.ts'
import { demoPassword, emailOf, type Guest, type PaymentMethod } from './guests.ts'
import { seasonRent } from './rates.ts'
import { createRandom, drawSignature, type Random, type SeedRuntime, withProof } from './seed-runtime.ts'

/** The items with a photo each and their statement; once agreed, they are kept and the rest goes back by hand. */
export async function claimDeposit(
  deps: Deps,
  { id, owner, tenant }: { id: string; owner: Admin; tenant: Tenant },
  { isAgreed, items }: NonNullable<Guest['claim']>,
): Promise<void> {
  for (const [i, item] of items.entries()) {
    const itemId = await addItem(deps, owner, id, item)
    const picture = i === 0 ? '12-balcony-evening.jpg' : '03-living-room.jpg'
    const source = createReadStream(join(projectRoot, 'src/server/site/content/pictures', picture))
    await addItemPhoto(deps, owner, { itemId }, { source, name: picture })
  }
  const statementId = await sendStatement(deps, owner, id, statementOf(deps))
  if (!isAgreed) return
  await agreeTo(deps, tenant, id, statementId)
  await withProof(deps, owner, async proven => {
    await keepItems(deps, proven, id, { note: '' })
    await returnDeposit(deps, proven, id, { requestId: randomUUID(), route: 'hand', hand: byCheck })
  })
}

/** By post where the demo sends no mail. */
const statementOf = (deps: Deps) =>
  statementForm.parse({
    requestId: randomUUID(),
    ...(deps.mail
      ? { how: 'email' }
      : { how: 'post', trackingNumber: '9407 1118 9922 3344', sentOn: todayAt(deps) }),
  })
const byCheck = { checkNumber: '2417', note: 'Rest of the deposit' }

export const streets = ['Pine Street', 'Oak Avenue', 'Maple Drive', 'Cedar Lane', 'Lake Road', 'Hill Street']

export const towns = [
  { city: 'Mobile', state: 'AL', zipCode: '36602' },
  { city: 'Atlanta', state: 'GA', zipCode: '30303' },
  { city: 'Nashville', state: 'TN', zipCode: '37203' },
  { city: 'Columbus', state: 'OH', zipCode: '43215' },
  { city: 'Detroit', state: 'MI', zipCode: '48226' },
  { city: 'Madison', state: 'WI', zipCode: '53703' },
  { city: 'St. Louis', state: 'MO', zipCode: '63101' },
  { city: 'Toledo', state: 'OH', zipCode: '43604' },
] as const

/** Seeds one guest's history until `now` through the services, each step on its day. */
export async function seedGuest(runtime: SeedRuntime, owner: Admin, guest: Guest, now: Date): Promise<void> {
  const { deps } = runtime
  const { timeZone } = deps.config.site
  const random = createRandom(guest.appliedDaysAgo)
  const applied = addDays(dateIn(now, timeZone), -guest.appliedDaysAgo)
  const goTo = createGoTo(runtime, now, random)

  goTo(applied, 9)
  const tenant = await createTenant(runtime, guest, random)
  goTo(applied, 10)
  const { id } = await createAndSubmit(deps, tenant, applicationOf(guest, random))
  if (guest.outcome === 'pending') return

  goTo(addDays(applied, 2), 11)
  await setStatus(deps, owner, id, 'approved')

  runtime.setNow(new Date(deps.clock.now().getTime() + hourMs))
  const lease = {
    rentalAmount: seasonRent(guest.stay),
    depositAmount: null,
    leaseStartDate: null,
    leaseEndDate: null,
    plan: guest.plan?.kind,
  }
  if (guest.isTaxed) {
    const rule = { name: 'State tax', authority: 'Florida', basisPoints: 600, onRent: true, onFees: true }
    const tax = taxRuleForm.parse({ ...rule, validTo: guest.stay.start })
    await withProof(deps, owner, proven => createTaxRule(deps, proven, tax))
  }
  const { leaseTextSha256 } = await generateLease(deps, owner, id, lease)

  const signed = addDays(applied, 3)
  if (guest.coApplicantEmail) {
    const signers = [{ role: 'co_tenant', email: guest.coApplicantEmail }]
    await inviteSigners(deps, owner, id, inviteForm.parse({ signers }))
  }
  const rentDay =
    guest.rentPaidDaysAgo === undefined
      ? addDays(guest.stay.start, -9)
      : addDays(dateIn(now, timeZone), -guest.rentPaidDaysAgo)
  if (guest.signs && goTo(signed, 19)) await sign(runtime, tenant, { id, leaseTextSha256 }, guest)
  const application = { id, owner, tenant }
  if (guest.deposit && goTo(addDays(signed, 1), 13)) await pay(runtime, application, 'deposit', guest.deposit)
  if (guest.rent && goTo(rentDay, 15)) await pay(runtime, application, 'rent', guest.rent)
  for (const [i, method] of guest.plan?.paid.entries() ?? []) {
    const next = showPlan(deps, owner, id).instalments.filter(({ kind }) => kind === 'lease')[i]
    if (next?.dueDate && goTo(next.dueDate, 15))
      await pay(runtime, application, 'rent', method, next.openCents)
  }
  if (guest.laterCharge && goTo(addDays(dateIn(now, timeZone), -1), 16)) {
    const { amountCents, label, paid } = guest.laterCharge
    const charge = laterChargeForm.parse({ kind: 'fee', label, amountCents })
    await deps.write(tx => insertLaterCharge(deps, tx, owner, getSubmittedApplication(tx, owner, id), charge))
    await pay(runtime, application, 'rent', paid, amountCents)
  }
  const daysAgo = (days: number) => addDays(dateIn(now, timeZone), -days)
  if (guest.extends && goTo(daysAgo(guest.extends.daysAgo), 11)) await extendStay(deps, application, guest)
  if (guest.cancelledDaysAgo !== undefined && goTo(daysAgo(guest.cancelledDaysAgo), 10))
    await cancelDemoStay(deps, application)
  if (guest.declinedDaysAgo !== undefined) {
    goTo(addDays(dateIn(now, timeZone), -guest.declinedDaysAgo), 12)
    await setStatus(deps, owner, id, 'rejected')
    // The deposit's card tells what is to be returned.
    for (const row of deps.db.select().from(payments).where(eq(payments.applicationId, id)).all())
      await dismissUnexpectedPayment(deps, owner, row.id)
  }
  if (guest.outcome !== 'completed') return
  goTo(guest.stay.end, 12)
  await setStatus(deps, owner, id, 'completed')
  if (guest.claim && goTo(addDays(guest.stay.end, guest.claim.daysAfter), 14))
    await claimDeposit(deps, application, guest.claim)
  else if (goTo(addDays(guest.stay.end, 6), 14))
    await storeReturn(deps, owner, {
      applicationId: id,
      kind: 'deposit_return',
      amount: 500_00,
      checkNumber: String(2000 + random.below(900)),
      reason: 'Left in good order',
    })
}

/** Sets the clock to an hour of a day; false if that is in the future. */
type GoTo = (day: CalendarDate, hour: number) => boolean

function createGoTo({ deps, setNow }: SeedRuntime, now: Date, random: Random): GoTo {
  return (day, hour) => {
    const startMs = startOfDateIn(day, deps.config.site.timeZone).getTime()
    const moment = new Date(startMs + hour * hourMs + random.below(3000) * 1000)
    if (moment > now) return false
    setNow(moment)
    return true
  }
}

async function createTenant({ deps }: SeedRuntime, guest: Guest, random: Random): Promise<Tenant> {
  const { firstName, lastName } = guest
  const user = await createAccount(deps, system, 'tenant', {
    email: emailOf(guest),
    password: demoPassword,
    firstName,
    lastName,
  })
  return {
    role: 'tenant',
    userId: user.id,
    requestOrigin: { address: `203.0.113.${10 + random.below(200)}`, userAgent: 'Mozilla/5.0 (Demo guest)' },
  }
}

function applicationOf(guest: Guest, random: Random) {
  return applicationForm.parse({
    firstName: guest.firstName,
    lastName: guest.lastName,
    secondApplicantFirstName: guest.coApplicant?.firstName,
    secondApplicantLastName: guest.coApplicant?.lastName,
    phone: guest.phone,
    address: { street: `${10 + random.below(900)} ${random.pick(streets)}`, ...random.pick(towns) },
    requestedStartDate: guest.stay.start,
    requestedEndDate: guest.stay.end,
    additionalGuests: guest.additionalGuests ?? [],
  })
}

async function sign(
  { deps }: SeedRuntime,
  tenant: Tenant,
  lease: { id: string; leaseTextSha256: string },
  { coApplicant: invited, coApplicantEmail, firstName, lastName }: Guest,
) {
  const coApplicant = coApplicantEmail ? undefined : invited
  await signLease(deps, tenant, {
    ...lease,
    mode: 'draw',
    typedName: '',
    typedName2: '',
    signatureImageBase64: drawSignature(`${firstName} ${lastName}`),
    signatureImageBase64_2: coApplicant
      ? drawSignature(`${coApplicant.firstName} ${coApplicant.lastName}`)
      : '',
    consent: true,
    ...(coApplicant && { consent2: true }),
    noticeSha256: await noticeSha256(currentSite(deps)),
  })
}

/** Pays the deposit, or an amount of the rest (all of it by default). Pays by check without a sandbox. */
async function pay(
  { deps, payCheckout }: SeedRuntime,
  { id: applicationId, owner, tenant }: { id: string; owner: Admin; tenant: Tenant },
  paymentType: PayableType,
  method: PaymentMethod,
  rentCents?: number,
): Promise<void> {
  const { db, config } = deps
  const record = getApplicationRecord(db, owner, applicationId)
  const { balanceCents } = moneyOf(db, record.application).balance
  const amount = paymentType === 'deposit' ? (record.lease?.depositCents ?? 0) : (rentCents ?? balanceCents)
  if (method === 'check' || !payCheckout) {
    const checkNumber = String(1000 + (amount % 997))
    await storePayment(deps, owner, {
      applicationId,
      paymentType,
      amount,
      checkNumber,
      notes: '',
      paymentDate: undefined,
    })
    return
  }
  const providerMethod = method === 'card' ? 'card' : 'us_bank_account'
  const creditCardFee = method !== 'card' ? 0 : cardFeeCents(amount, config.cardFeeBasisPoints)
  const { url } = await createCheckoutSession(
    deps,
    tenant,
    checkoutInput.parse({
      applicationId,
      paymentType,
      providerMethod,
      amount,
      creditCardFee,
      totalAmount: amount + creditCardFee,
    }),
  )
  const opened = db.select().from(payments).where(eq(payments.checkoutUrl, url)).get()
  if (!opened?.checkoutSessionId) throw new Error('the checkout of the demo data has no session')
  await payCheckout(opened.checkoutSessionId, method)
}
