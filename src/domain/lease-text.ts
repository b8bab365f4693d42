import { type ChargeLine, sumOf } from './charge.ts'
import { type CalendarDate, formatLongDate } from './dates.ts'
import { AppError } from './errors.ts'
import { leaseTemplate } from './lease-template.ts'
import { describeTermRent, owedCents, termRent } from './lease-terms.ts'
import { formatCents } from './money.ts'
import { planMessages } from './payment-plan-messages.ts'
import { plural } from './plural.ts'
import { isPrintable, toPrintableLine } from './printable.ts'

type LeaseOccupant = { name: string; isAdult: boolean }

/** The data of a lease. Amounts are integer cents; names are full names. */
export type LeaseData = {
  applicationNumber: string
  landlordName: string
  landlordEmail: string
  landlordPhone: string
  propertyName: string
  propertyAddress: string
  tenantName: string
  /** The second tenant, who also signs; null without one. */
  coTenantName: string | null
  /** Everybody else who stays. */
  guests: readonly LeaseOccupant[]
  startDate: CalendarDate
  endDate: CalendarDate
  monthlyRentCents: number
  depositCents: number
  /** How many people the property sleeps. */
  guestLimit: number
  /** The points of the house rules; none: their line goes. */
  houseRules: readonly string[]
  /** Fees, discounts and taxes; those of $0.00 are not printed. */
  charges: readonly Pick<ChargeLine, 'label' | 'amountCents'>[]
  /** The payments of its plan as `scheduleText` has them; empty without a plan. */
  paymentSchedule: string
}

type Placeholder = { needed: boolean; fill: (data: LeaseData) => string }

const one =
  (fill: (data: LeaseData) => string): Placeholder['fill'] =>
  data =>
    toPrintableLine(fill(data))
const rentOf = (data: LeaseData) => termRent(data.startDate, data.endDate, data.monthlyRentCents)

/** The placeholders of the template; a needed one must be used. */
const placeholders: Record<string, Placeholder> = {
  /** `APP-2026-0007` */
  applicationNumber: { needed: false, fill: one(data => data.applicationNumber) },
  /** The company's name. */
  landlordName: { needed: true, fill: one(data => data.landlordName) },
  /** E-mail address and telephone number of the landlord. */
  landlordContact: {
    needed: false,
    fill: one(data => [data.landlordEmail, data.landlordPhone].filter(Boolean).join(', ')),
  },
  propertyName: { needed: false, fill: one(data => data.propertyName) },
  propertyAddress: { needed: true, fill: one(data => data.propertyAddress) },
  /** `Anna Smith and Ben Jones` */
  tenantNames: { needed: true, fill: one(data => tenantNames(data).join(' and ')) },
  /** `3 people`, tenants included. */
  occupantCount: { needed: false, fill: data => plural(occupants(data).length, 'person', 'people') },
  /** A list, one line each: `- Leo Smith, minor`. */
  occupants: {
    needed: true,
    fill: data =>
      occupants(data)
        .map(({ name, isAdult }) => `- ${toPrintableLine(name)}, ${isAdult ? 'adult' : 'minor'}`)
        .join('\n'),
  },
  /** How many the condo sleeps: `4 people`. */
  guestLimit: { needed: false, fill: data => plural(data.guestLimit, 'person', 'people') },
  /** A list, one line each. */
  houseRules: {
    needed: false,
    fill: data => data.houseRules.map(rule => `- ${toPrintableLine(rule)}`).join('\n'),
  },
  /** `June 1, 2026` */
  startDate: { needed: true, fill: data => formatLongDate(data.startDate) },
  endDate: { needed: true, fill: data => formatLongDate(data.endDate) },
  /** `92 nights` */
  nights: { needed: false, fill: data => plural(rentOf(data).nights, 'night') },
  /** `$2,500.00` */
  monthlyRent: { needed: true, fill: data => formatCents(data.monthlyRentCents) },
  /** The rent for the whole term. */
  termRent: { needed: true, fill: data => formatCents(rentOf(data).totalCents) },
  /** `3 months × $2,500.00 = $7,500.00` */
  termRentSum: { needed: false, fill: data => describeTermRent(rentOf(data)) },
  /** Fees, discounts and taxes, a line each, with their sum; nothing without them. */
  charges: { needed: false, fill: data => (printedCharges(data).length > 0 ? chargeLines(data) : '') },
  /** The payments of the plan, a line each, with what holds for their dates; nothing without a plan. */
  paymentSchedule: {
    needed: false,
    fill: ({ paymentSchedule }) => (paymentSchedule === '' ? '' : `${scheduleIntro}\n\n${paymentSchedule}`),
  },
  /** What is due together with the deposit. */
  rentAndCharges: {
    needed: false,
    fill: data =>
      `the rent for the whole term${printedCharges(data).length > 0 ? ', the fees and the taxes' : ''}`,
  },
  deposit: { needed: true, fill: data => formatCents(data.depositCents) },
  /** All charges of the lease, the deposit included. */
  totalDue: {
    needed: false,
    fill: data => formatCents(owedCents(rentOf(data), data.depositCents) + sumOf(data.charges)),
  },
  /** Name, and lines to sign on by hand, for each tenant. */
  signatureLines: { needed: true, fill: data => tenantNames(data).map(signatureLines).join('\n\n') },
}

/**
 * Renders the lease as plain text. Values are one printable line and are never expanded as placeholders. The template
 * must have passed `checkTemplate`.
 * @throws AppError bad_request when the term has no night; conflict when there are fees or taxes and the template has no
 * {{charges}}, and when there is a payment plan and it has no {{paymentSchedule}}
 */
export function renderLeaseText(data: LeaseData, template: string = leaseTemplate): string {
  if (printedCharges(data).length > 0 && !hasPlaceForCharges(template))
    throw new AppError('conflict', 'The lease text has no place for fees and taxes: put {{charges}} into it.')
  if (data.paymentSchedule !== '' && !hasPlaceForSchedule(template))
    throw new AppError('conflict', planMessages.noPlace)
  return template
    .replace(wholeLinePattern, (line, name: string) => (find(name.trim())?.fill(data) === '' ? '' : line))
    .replace(placeholderPattern, (whole, name: string) => find(name.trim())?.fill(data) ?? whole)
    .trim()
}

/** The placeholders that a template may use, whether it must, and what each is filled with for a lease. */
export function leasePlaceholders(data: LeaseData): { name: string; needed: boolean; value: string }[] {
  return Object.entries(placeholders).map(([name, { fill, needed }]) => ({ name, needed, value: fill(data) }))
}

/** All errors of a template, one sentence each. Checked when the server starts. */
export function checkTemplate(template: string = leaseTemplate): string[] {
  const used = usedIn(template)
  const unknown = [...new Set(used)].filter(name => !find(name))
  const missing = Object.keys(placeholders).filter(name => find(name)?.needed && !used.includes(name))
  const lines = template.split('\n')
  const faulty = (isFaulty: (line: string) => boolean) =>
    lines.flatMap((line, i) => (isFaulty(line) ? [i + 1] : []))
  const stray = faulty(line => /\{\{|\}\}/.test(line.replace(placeholderPattern, '')))
  const unprintable = faulty(line => !isPrintable(line))
  return [
    ...unknown.map(name => `The lease template has an unknown placeholder {{${name}}}.`),
    ...missing.map(name => `The lease template lacks the placeholder {{${name}}}.`),
    ...stray.map(
      line => `Line ${line} of the lease template has double braces that do not make a placeholder.`,
    ),
    ...unprintable.map(line => `Line ${line} of the lease template has a character that cannot be printed.`),
  ]
}

/** A name may have blanks around it. Each character can match in one way only, so that no template takes long. */
const placeholderPattern = /\{\{([\w\p{Zs}]*)\}\}/gu
/** A line that is one placeholder, with the empty line after it. */
const wholeLinePattern = /^\{\{([\w\p{Zs}]*)\}\}(?:\n\n?|$)/gmu

const usedIn = (template: string): string[] =>
  [...template.matchAll(placeholderPattern)].map(([, name = '']) => name.trim())

/** Whether leases with fees or taxes can be made from a template. */
export const hasPlaceForCharges = (template: string): boolean => usedIn(template).includes('charges')

/** Whether leases with a payment plan can be made from a template. */
export const hasPlaceForSchedule = (template: string): boolean => usedIn(template).includes('paymentSchedule')

const find = (name: string): Placeholder | undefined =>
  Object.hasOwn(placeholders, name) ? placeholders[name] : undefined

// The template says that rent is due before the first day unless the Landlord agrees to other dates: these are those.
const scheduleIntro = 'The Landlord agrees that what is due under this Agreement is paid on these dates:'

const printedCharges = ({ charges }: LeaseData) => charges.filter(({ amountCents }) => amountCents !== 0)

function chargeLines(data: LeaseData): string {
  const togetherCents = rentOf(data).totalCents + sumOf(data.charges)
  return [
    'In addition to the rent, the Tenant pays for the whole term:',
    '',
    ...printedCharges(data).map(
      ({ amountCents, label }) => `- ${toPrintableLine(label)}: ${formatCents(amountCents)}`,
    ),
    '',
    `Rent, fees and taxes together: ${formatCents(togetherCents)}`,
    'They are due together with the rent.',
  ].join('\n')
}

const tenantNames = ({ tenantName, coTenantName }: LeaseData): string[] =>
  coTenantName ? [tenantName, coTenantName] : [tenantName]

const occupants = (data: LeaseData): LeaseOccupant[] => [
  ...tenantNames(data).map(name => ({ name, isAdult: true })),
  ...data.guests,
]

const signatureLines = (name: string): string =>
  [`Tenant: ${toPrintableLine(name)}`, '', `Signature: ${'_'.repeat(40)}   Date: ${'_'.repeat(16)}`].join(
    '\n',
  )
