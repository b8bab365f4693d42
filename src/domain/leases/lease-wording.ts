import { addMonths } from '../common/dates.ts'
import { cleanText, contentMessages, type Parsed } from '../content/content-text.ts'
import { maxLeaseCharacters, type WordingPlaceholder } from '../content/wording.ts'
import { termRent } from '../money/lease-terms.ts'
import { lateFeeOf, makeInstallments, type PlanSettings, scheduleText } from '../money/payment-plan.ts'
import { planSettingsForm } from '../money/payment-plan-form.ts'
import { leaseTemplate } from './lease-template.ts'
import { checkTemplate, type LeaseData, leasePlaceholders } from './lease-text.ts'

export type LeaseWording = { text: string }

/** The lease wording that the site ships with. */
export const shippedLeaseWording: LeaseWording = { text: cleanText(leaseTemplate) }

/** A lease wording cleaned for storage, or all its errors, one sentence per line (LTEXT-01). */
export const parseLeaseWording = (given: unknown): Parsed<LeaseWording> =>
  parseDocumentWording(given, checkTemplate)

/** The wording of a document with its own check. */
export function parseDocumentWording(
  given: unknown,
  check: (text: string) => string[],
): Parsed<LeaseWording> {
  const { text: typed } = (given ?? {}) as { text?: unknown }
  if (typeof typed !== 'string') return { fields: { text: contentMessages.invalid } }
  const text = cleanText(typed)
  if (text === '') return { fields: { text: contentMessages.required(['text']) } }
  if (text.length > maxLeaseCharacters)
    return { fields: { text: contentMessages.tooLong(['text'], maxLeaseCharacters) } }
  const faults = check(text)
  return faults.length > 0 ? { fields: { text: faults.join('\n') } } : { body: { text } }
}

export const leaseMeanings: Record<string, string> = {
  applicationNumber: 'Number of the application',
  landlordName: 'Name of your company',
  landlordContact: 'Your email address and phone number',
  propertyName: 'Name of the property',
  propertyAddress: 'Address of the property',
  tenantNames: 'Names of the tenants',
  occupantCount: 'How many people stay',
  occupants: 'Everybody who stays, a line each',
  guestLimit: 'How many people the property sleeps',
  houseRules: 'Your house rules, a line each; nothing where there are none',
  startDate: 'First day of the lease',
  endDate: 'Last day of the lease',
  nights: 'Number of nights',
  rentTerms: 'The rent in words: for a stay of up to 31 nights that it is not by the month, else per month',
  monthlyRent: 'Rent for a month, or for a stay of up to 31 nights',
  termRent: 'Rent for the whole term',
  termRentSum: 'How the rent for the whole term adds up',
  charges: 'Fees, discounts and taxes, a line each; nothing where there are none',
  paymentSchedule: 'The payments with their dates, a line each; nothing where there is no payment plan',
  rentAndCharges: 'What is due together with the deposit, in words',
  deposit: 'Security deposit',
  totalDue: 'All that is due, the deposit included',
  signatureLines: 'A line to sign on for each tenant',
}

/** A lease with an invented tenant, for previews and for the samples of placeholders. */
export const sampleLease: LeaseData = {
  applicationNumber: 'APP-2026-0007',
  landlordName: 'Seabreeze Rentals LLC',
  landlordEmail: 'owner@seabreeze.example',
  landlordPhone: '(555) 010-2030',
  propertyName: 'Seabreeze Condo',
  propertyAddress: '100 Ocean Drive, Unit 4B, Beachtown, FL 32000',
  tenantName: 'Anna Smith',
  coTenantName: 'Ben Jones',
  guests: [{ name: 'Leo Smith', isAdult: false }],
  guestLimit: 4,
  houseRules: ['Quiet hours are from 10 PM to 8 AM.', 'Pets are not permitted.'],
  startDate: '2026-06-01',
  endDate: '2026-09-13',
  monthlyRentCents: 2500_00,
  depositCents: 500_00,
  charges: [{ label: 'Cleaning fee', amountCents: 175_00 }],
  paymentSchedule: '',
}

/** The payments of the sample lease under these settings, as a lease prints them; empty without a plan. */
export function sampleSchedule(settings: PlanSettings): string {
  if (settings.kind === 'off') return ''
  const { charges, depositCents, endDate: end, monthlyRentCents, startDate: start } = sampleLease
  const rent = { kind: 'rent' as const, amountCents: termRent(start, end, monthlyRentCents).totalCents }
  const fees = charges.map(({ amountCents }) => ({ kind: 'fee' as const, amountCents }))
  const deposit = { kind: 'deposit' as const, amountCents: depositCents }
  const today = addMonths(start, -3)
  const terms = { start, end, monthlyRentCents, charges: [rent, ...fees, deposit], today }
  return scheduleText(makeInstallments(settings.kind, terms, settings), lateFeeOf(settings))
}

/**
 * The placeholders of a lease with their values in `data`. If `data` has no payments, those of a monthly plan are used.
 */
export function leaseWordingPlaceholders(data: LeaseData = sampleLease): WordingPlaceholder[] {
  const paymentSchedule = data.paymentSchedule || sampleSchedule(planSettingsForm.parse({ kind: 'monthly' }))
  return leasePlaceholders({ ...data, paymentSchedule }).map(({ name, needed, value }) => ({
    name,
    meaning: leaseMeanings[name] ?? '',
    sample: value,
    needed,
  }))
}
