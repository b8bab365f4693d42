import type { BookingEntryValues } from '../../../domain/bookings/booking-entry.ts'
import {
  addDays,
  addMonths,
  type CalendarDate,
  type DateRange,
  startOfMonth,
} from '../../../domain/common/dates.ts'
import type { ItemForm } from '../../../domain/money/deposit-input.ts'
import type { GeneratedKind } from '../../../domain/money/payment-plan.ts'
import type { CheckoutOutcome } from './seed-runtime.ts'

export type PaymentMethod = CheckoutOutcome | 'check'
/** A guest of the demo; all dates are relative to today. */
export type Guest = {
  firstName: string
  lastName: string
  coApplicant?: { firstName: string; lastName: string }
  additionalGuests?: { firstName: string; lastName: string; isAdult: boolean }[]
  phone: string
  appliedDaysAgo: number
  stay: DateRange
  outcome: 'pending' | 'declined' | 'approved' | 'completed' | 'cancelled'
  /** Signs in the app, a day after the lease was generated. */
  signs?: boolean
  deposit?: PaymentMethod
  /** A payment plan, with the methods of its first payments; the other payments are open. */
  plan?: { kind: GeneratedKind; paid: readonly PaymentMethod[] }
  rent?: PaymentMethod
  /** Default: nine days before the stay. */
  rentPaidDaysAgo?: number
  /** A charge that the owner added to the signed lease a day ago. */
  laterCharge?: { label: string; amountCents: number; paid: PaymentMethod }
  /** What the owner claims of the deposit, this many days after the stay; without it the deposit went back. */
  claim?: { items: readonly ItemForm[]; daysAfter: number; isAgreed?: boolean }
  /** Invited to sign by own links, the co-applicant at this address; the tenant has signed. */
  coApplicantEmail?: string
  /** An addendum that adds `nightsAdded`. */
  extends?: { daysAgo: number; signs?: boolean }
  /** Cancelled by the tenant after all was paid. */
  cancelledDaysAgo?: number
  /** Declined after the deposit was paid. */
  declinedDaysAgo?: number
  /** Whether the stay owes a tax, the only one of the demo. */
  isTaxed?: boolean
  /** Set for guests whose login is printed at startup. */
  loginDescription?: string
}

export const nightsAdded = 7
export const demoPassword = 'sandcastle'
export const emailOf = ({ firstName }: Pick<Guest, 'firstName'>): string =>
  `${firstName.toLowerCase()}@guest.example`

/** The guests, by day of application. Booked stays never overlap on any `today`. */
export function demoGuests(today: CalendarDate): Guest[] {
  const stayed = (daysAgo: number, nights: number): DateRange => ({
    start: addDays(today, -daysAgo),
    end: addDays(today, nights - daysAgo),
  })
  const inMonths = (months: number, day: number, nights: number): DateRange => {
    const start = addDays(startOfMonth(addMonths(today, months)), day - 1)
    return { start, end: addDays(start, nights) }
  }
  const overdueSince = addDays(today, -8)
  const pastStay = { outcome: 'completed', deposit: 'check', rent: 'check' } as const
  return [
    { ...named('Walter Keller', '414-555-0117'), appliedDaysAgo: 385, stay: stayed(345, 28), ...pastStay },
    { ...named('Dana Brooks', '(614) 555-0182'), appliedDaysAgo: 352, stay: stayed(312, 30), ...pastStay },
    {
      ...named('Hugo Larsen', '612-555-0154'),
      appliedDaysAgo: 300,
      stay: stayed(268, 14),
      ...pastStay,
      rent: 'card',
    },
    { ...named('Felix Moreno', '678-555-0108'), appliedDaysAgo: 288, stay: stayed(252, 14), ...pastStay },
    {
      ...named('Priya Patel', '(404) 555-0136'),
      appliedDaysAgo: 276,
      stay: stayed(236, 21),
      ...pastStay,
      deposit: 'card',
    },
    { ...named('Ivan Novak', '313-555-0171'), appliedDaysAgo: 245, stay: stayed(204, 30), ...pastStay },
    {
      ...named('Clara Weber', '608-555-0125'),
      appliedDaysAgo: 199,
      stay: stayed(166, 28),
      ...pastStay,
      rent: 'card',
    },
    {
      ...named('Omar Haddad', '(615) 555-0149'),
      appliedDaysAgo: 164,
      stay: stayed(131, 30),
      ...pastStay,
      claim: {
        items: [{ category: 'missing', label: 'Two beach towels', amountCents: 38_00 }],
        daysAfter: 10,
        isAgreed: true,
      },
      isTaxed: true,
    },
    {
      ...named('Ruth Bell', '(205) 555-0163'),
      coApplicant: { firstName: 'Arthur', lastName: 'Bell' },
      appliedDaysAgo: 104,
      stay: stayed(71, 30),
      outcome: 'completed',
      signs: true,
      deposit: 'card',
      rent: 'card',
      claim: {
        items: [
          { category: 'damage', label: 'Cracked glass of the balcony table', amountCents: 120_00 },
          { category: 'cleaning', label: 'Sofa cover, professional cleaning', amountCents: 65_00 },
        ],
        daysAfter: 29,
      },
      loginDescription: 'a completed stay: lease, receipts, a claim on the deposit',
    },
    {
      ...named('Tessa Quinlan', '419-555-0190'),
      appliedDaysAgo: 82,
      stay: { start: addMonths(overdueSince, -1), end: addMonths(overdueSince, 1) },
      outcome: 'approved',
      signs: true,
      plan: { kind: 'monthly', paid: ['bank'] },
      deposit: 'card',
      loginDescription: 'a stay paid monthly: the last payment is overdue',
    },
    {
      ...named('Lena Fischer', '(256) 555-0159'),
      appliedDaysAgo: 70,
      stay: inMonths(8, 20, 8),
      outcome: 'cancelled',
      deposit: 'check',
      rent: 'check',
      rentPaidDaysAgo: 40,
      cancelledDaysAgo: 31,
    },
    {
      ...named('Paul Winter', '(608) 555-0186'),
      appliedDaysAgo: 60,
      stay: inMonths(10, 1, 61),
      outcome: 'approved',
      signs: true,
      plan: { kind: 'monthly', paid: [] },
      deposit: 'check',
      extends: { daysAgo: 20, signs: true },
    },
    {
      ...named('Jonas Berg', '(218) 555-0103'),
      appliedDaysAgo: 45,
      stay: inMonths(9, 9, 10),
      outcome: 'approved',
      signs: true,
      deposit: 'check',
      extends: { daysAgo: 3 },
    },
    {
      ...named('Nina Osborne', '(334) 555-0112'),
      additionalGuests: [{ firstName: 'Leo', lastName: 'Osborne', isAdult: false }],
      appliedDaysAgo: 36,
      stay: inMonths(1, 25, 6),
      outcome: 'approved',
      signs: true,
      deposit: 'card',
      rent: 'check',
      rentPaidDaysAgo: 2,
      laterCharge: { label: 'Beach chairs and umbrella', amountCents: 60_00, paid: 'bank on its way' },
    },
    {
      ...named('Gabe Ellison', '502-555-0178'),
      appliedDaysAgo: 34,
      stay: inMonths(3, 8, 7),
      outcome: 'declined',
      deposit: 'card',
      declinedDaysAgo: 25,
    },
    {
      ...named('Sam Carter', '(850) 555-0131'),
      appliedDaysAgo: 7,
      stay: inMonths(2, 3, 30),
      outcome: 'approved',
      loginDescription: 'an approved application: a lease to sign, a deposit to pay',
    },
    {
      ...named('Carla Reyes', '(601) 555-0165'),
      coApplicant: { firstName: 'Theo', lastName: 'Reyes' },
      appliedDaysAgo: 5,
      stay: inMonths(6, 4, 7),
      outcome: 'approved',
      signs: true,
      coApplicantEmail: 'theo@guest.example',
    },
    {
      ...named('Mia Torres', '770-555-0144'),
      coApplicant: { firstName: 'Daniel', lastName: 'Torres' },
      additionalGuests: [
        { firstName: 'Lucia', lastName: 'Torres', isAdult: false },
        { firstName: 'Rosa', lastName: 'Vega', isAdult: true },
      ],
      appliedDaysAgo: 1,
      stay: inMonths(4, 1, 61),
      outcome: 'pending',
      loginDescription: 'an application in review',
    },
  ]
}

/** A booking from elsewhere that the owner entered three days ago, with an invitation for its guest. */
export function enteredBooking(today: CalendarDate, invite: boolean): BookingEntryValues {
  const startDate = addDays(startOfMonth(addMonths(today, 7)), 4)
  return {
    firstName: 'Helen',
    lastName: 'Ford',
    email: 'helen@guest.example',
    phone: '901-555-0127',
    startDate,
    endDate: addDays(startDate, 28),
    rentalAmount: 2400,
    depositAmount: 500,
    generateLease: false,
    invite,
    payments: [{ amount: 500_00, paymentType: 'deposit', checkNumber: '1184' }],
    note: 'Booked by telephone; stayed with us before there was this site.',
  }
}
export const enteredDaysAgo = 3

export function blockedNights(today: CalendarDate): { nights: DateRange; reason: string }[] {
  const cleaning = addDays(startOfMonth(addMonths(today, 1)), 22)
  const family = addDays(startOfMonth(addMonths(today, 3)), 9)
  return [
    { nights: { start: cleaning, end: addDays(cleaning, 2) }, reason: 'Deep cleaning' },
    { nights: { start: family, end: addDays(family, 6) }, reason: 'Owner’s stay' },
  ]
}

function named(name: string, phone: string): Pick<Guest, 'firstName' | 'lastName' | 'phone'> {
  const [firstName = '', lastName = ''] = name.split(' ')
  return { firstName, lastName, phone }
}
