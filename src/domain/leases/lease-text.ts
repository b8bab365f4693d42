import { type CalendarDate, formatLongDate } from '../common/dates.ts'
import { AppError } from '../common/errors.ts'
import { formatCents } from '../common/money.ts'
import { plural } from '../common/plural.ts'
import { toPrintableLine } from '../common/printable.ts'
import { type ChargeLine, sumOf, visibleLines } from '../money/charge.ts'
import { isRentForStay, rentPlusDepositCents, termRent, termRentSum } from '../money/lease-terms.ts'
import { planMessages } from '../money/payment-plan.ts'
import {
  fillTemplate,
  type Placeholder as LeasePlaceholder,
  listPlaceholders,
  templateFaults,
  usedIn,
} from './document-template.ts'
import { leaseTemplate } from './lease-template.ts'

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
  /** The second tenant, who also signs; null if there is none. */
  coTenantName: string | null
  /** Everybody else who stays. */
  guests: readonly LeaseOccupant[]
  startDate: CalendarDate
  endDate: CalendarDate
  monthlyRentCents: number
  depositCents: number
  /** The property's guest limit. */
  guestLimit: number
  /** The items of the house rules; if empty, their line is removed. */
  houseRules: readonly string[]
  /** Fees, discounts and taxes; those of $0.00 are not printed. */
  charges: readonly Pick<ChargeLine, 'label' | 'amountCents'>[]
  /** The payments of the plan from `scheduleText`; empty without a plan. */
  paymentSchedule: string
}

type Placeholder = LeasePlaceholder<LeaseData>

const one =
  (fill: (data: LeaseData) => string): Placeholder['fill'] =>
  data =>
    toPrintableLine(fill(data))
const rentOf = (data: LeaseData) => termRent(data.startDate, data.endDate, data.monthlyRentCents)

/** The placeholders of the template; those marked `needed` must be used. */
const placeholders: Record<string, Placeholder> = {
  /** Such as `APP-2026-0007`. */
  applicationNumber: { needed: false, fill: one(data => data.applicationNumber) },
  landlordName: { needed: true, fill: one(data => data.landlordName) },
  /** The landlord's email address and telephone number. */
  landlordContact: {
    needed: false,
    fill: one(data => [data.landlordEmail, data.landlordPhone].filter(Boolean).join(', ')),
  },
  propertyName: { needed: false, fill: one(data => data.propertyName) },
  propertyAddress: { needed: true, fill: one(data => data.propertyAddress) },
  /** Such as `Anna Smith and Ben Jones`. */
  tenantNames: { needed: true, fill: one(data => tenantNames(data).join(' and ')) },
  /** Such as `3 people`, including the tenants. */
  occupantCount: { needed: false, fill: data => plural(occupants(data).length, 'person', 'people') },
  /** A list, one line each: `- Leo Smith, minor`. */
  occupants: {
    needed: true,
    fill: data =>
      occupants(data)
        .map(({ name, isAdult }) => `- ${toPrintableLine(name)}, ${isAdult ? 'adult' : 'minor'}`)
        .join('\n'),
  },
  /** The guest limit, such as `4 people`. */
  guestLimit: { needed: false, fill: data => plural(data.guestLimit, 'person', 'people') },
  /** A list, one line each. */
  houseRules: {
    needed: false,
    fill: data => data.houseRules.map(rule => `- ${toPrintableLine(rule)}`).join('\n'),
  },
  /** Such as `June 1, 2026`. */
  startDate: { needed: true, fill: data => formatLongDate(data.startDate) },
  endDate: { needed: true, fill: data => formatLongDate(data.endDate) },
  /** Such as `92 nights`. */
  nights: { needed: false, fill: data => plural(rentOf(data).nights, 'night') },
  /** What the rent is: for the stay, or per month and how months are counted. */
  rentTerms: { needed: false, fill: rentTerms },
  /** Such as `$2,500.00`. */
  monthlyRent: { needed: false, fill: data => formatCents(data.monthlyRentCents) },
  /** The rent for the whole term. */
  termRent: { needed: true, fill: data => formatCents(rentOf(data).totalCents) },
  /** Such as `3 months × $2,500.00 = $7,500.00`. */
  termRentSum: { needed: false, fill: data => termRentSum(rentOf(data)) },
  /** Fees, discounts and taxes, one line each, with their sum; empty without them. */
  charges: { needed: false, fill: data => (printedCharges(data).length > 0 ? chargeLines(data) : '') },
  /** The payments of the plan, one line each, with the rules for their dates; empty without a plan. */
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
    fill: data => formatCents(rentPlusDepositCents(rentOf(data), data.depositCents) + sumOf(data.charges)),
  },
  /** For each tenant, the name and lines to sign on by hand. */
  signatureLines: { needed: true, fill: data => tenantNames(data).map(signatureLines).join('\n\n') },
}

/**
 * Renders the lease as plain text. Values are single printable lines and are never expanded as placeholders. The
 * template must have passed `checkTemplate`.
 * @throws AppError bad_request if the term has no night; conflict if there are fees or taxes but the template has no
 * {{charges}}, or a payment plan but no {{paymentSchedule}}
 */
export function renderLeaseText(data: LeaseData, template: string = leaseTemplate): string {
  if (printedCharges(data).length > 0 && !hasPlaceForCharges(template))
    throw new AppError('conflict', 'The lease text has no place for fees and taxes: put {{charges}} into it.')
  if (data.paymentSchedule !== '' && !hasPlaceForSchedule(template))
    throw new AppError('conflict', planMessages.noPlace)
  return fillTemplate(placeholders, data, template)
}

/** The placeholders of a template: name, whether it is required, and its value for a lease. */
export const leasePlaceholders = (data: LeaseData) => listPlaceholders(placeholders, data)

/** All errors of a template, one sentence each. Checked when the server starts. */
export const checkTemplate = (template: string = leaseTemplate): string[] =>
  templateFaults(placeholders, template, 'lease')

/** Whether a template can be used for leases with fees or taxes. */
export const hasPlaceForCharges = (template: string): boolean => usedIn(template).includes('charges')

/** Whether a template can be used for leases with a payment plan. */
export const hasPlaceForSchedule = (template: string): boolean => usedIn(template).includes('paymentSchedule')

// The template says that rent is due before the first day unless the Landlord agrees to other dates. These are the
// other dates.
const scheduleIntro = 'The Landlord agrees that what is due under this Agreement is paid on these dates:'

function rentTerms({ endDate, monthlyRentCents, startDate }: LeaseData): string {
  if (isRentForStay(startDate, endDate)) return 'The rent is for the whole stay, not by the month.'
  return `The rent is ${formatCents(monthlyRentCents)} per month. A term of up to 31 nights costs one month's rent. For a longer term, each full calendar month costs one month's rent, and each remaining day costs one thirtieth of it.`
}

const printedCharges = ({ charges }: LeaseData) => visibleLines(charges)

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

export const tenantNames = ({
  tenantName,
  coTenantName,
}: Pick<LeaseData, 'tenantName' | 'coTenantName'>): string[] =>
  coTenantName ? [tenantName, coTenantName] : [tenantName]

const occupants = (data: LeaseData): LeaseOccupant[] => [
  ...tenantNames(data).map(name => ({ name, isAdult: true })),
  ...data.guests,
]

export const signatureLines = (name: string): string =>
  [`Tenant: ${toPrintableLine(name)}`, '', `Signature: ${'_'.repeat(40)}   Date: ${'_'.repeat(16)}`].join(
    '\n',
  )
