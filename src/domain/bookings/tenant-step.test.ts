import { describe, expect, test } from 'vitest'
import { bookedSentence, leadingStep, type OutstandingBalance, tenantStep } from './tenant-step.ts'

const stay = { start: '2026-12-01', end: '2026-12-15' }
const day = { today: '2026-11-14', timeZone: 'America/Chicago' }
const app = (source: Partial<Parameters<typeof tenantStep>[0]>) => ({
  requestedStartDate: stay.start,
  requestedEndDate: stay.end,
  leaseStartDate: null,
  leaseEndDate: null,
  submittedAt: '2026-03-04T15:00:00.000Z',
  status: 'approved',
  leaseGenerated: false,
  leaseSigned: false,
  paymentReceived: false,
  ...source,
})
const toSign = { leaseGenerated: true }
const signed = { leaseGenerated: true, leaseSigned: true }
const settled = { ...signed, paymentReceived: true }
const outstanding = (balanceCents: number, rest: Partial<OutstandingBalance> = {}): OutstandingBalance => ({
  balanceCents,
  ...rest,
})
const installment = { label: 'Payment 3 of 3', amountCents: 216_648, dueDate: '2026-11-14' }

const addendum = { kind: 'addendum', until: '2026-12-10' } as const
const claim = { kind: 'claim', amountCents: 185_00, until: '2026-12-02' } as const
const refund = { kind: 'refund', amountCents: 787_50 } as const

describe('the next step of a tenant', () => {
  test.each([
    [{ status: 'draft' }, undefined, 'submit', 'Submit your application'],
    [{ status: 'pending' }, outstanding(0), 'wait', 'We are reviewing your application'],
    [{ status: 'rejected' }, outstanding(5), 'declined', 'Application declined'],
    [{}, undefined, 'wait', 'We are preparing your lease'],
    [{}, outstanding(150_00), 'pay', 'Pay $150.00'],
    [{ withoutLease: true }, outstanding(150_00), 'pay', 'Pay $150.00'],
    [{ withoutLease: true }, outstanding(0), 'booked', 'Your stay is booked'],
    [{ withoutLease: true, status: 'completed' }, outstanding(0), 'booked', 'Your stay is booked'],
    [toSign, outstanding(238_500), 'sign', 'Sign your lease'],
    [{ status: 'completed' }, outstanding(0), 'wait', 'We are preparing your lease'],
    [{ ...toSign, status: 'completed' }, outstanding(0), 'sign', 'Sign your lease'],
    [{ ...toSign, status: 'completed' }, outstanding(700), 'pay', 'Pay $7.00'],
    [{ ...toSign, tenantSigned: true }, outstanding(1), 'wait', 'Waiting for the other signatures'],
    [signed, outstanding(238_500), 'pay', 'Pay $2,385.00'],
    [signed, undefined, 'pay', 'Make your payment'],
    [signed, outstanding(238_500, { onItsWayCents: 238_500 }), 'wait', 'Your payment is on its way'],
    [settled, outstanding(100), 'pay', 'Pay $1.00'],
    [settled, outstanding(-100), 'booked', 'Your stay is booked'],
    [{ ...settled, status: 'completed' }, outstanding(0), 'booked', 'Your stay is booked'],
    [{ ...settled, status: 'completed' }, outstanding(700), 'pay', 'Pay $7.00'],
    [{ ...settled, waiting: addendum }, outstanding(0), 'addendum', 'Sign the addendum'],
    [{ ...settled, waiting: addendum }, outstanding(700), 'addendum', 'Sign the addendum'],
    [{ ...settled, waiting: claim }, outstanding(0), 'claim', 'We claim $185.00 of your deposit'],
    [{ status: 'rejected', waiting: claim }, outstanding(5), 'claim', 'We claim $185.00 of your deposit'],
    [
      { status: 'rejected', waiting: refund },
      outstanding(5),
      'refund',
      'Declined. $787.50 is still to come back to you.',
    ],
    [
      { status: 'cancelled', waiting: refund },
      outstanding(-5),
      'refund',
      'Cancelled. $787.50 is still to come back to you.',
    ],
  ] as const)('for %o with %o is to %s: %s [LOOK-21]', (source, open, kind, title) => {
    expect(tenantStep(app(source), day, open)).toMatchObject({ kind, title })
  })

  test('what waits is to be answered before a payment that is due [LOOK-21]', () => {
    const step = (waiting: typeof addendum | typeof claim) =>
      tenantStep(
        app({ ...settled, waiting }),
        day,
        outstanding(433_296, { pay: { next: { ...installment, dueDate: day.today } } }),
      )
    expect(step(addendum)?.text).toBe('It changes your lease. Answer by Dec 10, 2026.')
    expect(step(claim)?.text).toBe('Answer by Dec 2, 2026.')
  })

  test.each([0, -500])(
    'is no payment for a signed stay of which nothing is open and nothing is paid: %i [LOOK-21]',
    cents => {
      expect(tenantStep(app(signed), day, outstanding(cents))).toBeUndefined()
    },
  )

  test('is none for an unknown status [LOOK-21]', () => {
    expect(tenantStep(app({ status: 'archived' }), day)).toBeUndefined()
  })

  test.each([
    ['2026-11-30', 'Your stay is booked'],
    ['2026-12-01', 'You are here until Dec 15'],
    ['2026-12-15', 'You are here until Dec 15'],
    ['2026-12-16', 'Your stay is over'],
  ])('on %s of a paid stay of Dec 1 to 15 is: %s [LOOK-63]', (today, title) => {
    for (const status of ['approved', 'completed'])
      expect(tenantStep(app({ ...settled, status }), { ...day, today }, outstanding(0))?.title).toBe(title)
  })

  test('a stay that is over without a lease is over [LOOK-63]', () => {
    const source = app({ status: 'completed' })
    expect(tenantStep(source, { ...day, today: '2026-12-16' }, outstanding(0))?.title).toBe(
      'Your stay is over',
    )
  })

  test.each([
    // Still Wednesday at the property.
    ['2026-03-05T03:00:00.000Z', '2026-03-04', 'Sent. We answer by Friday.'],
    ['2026-03-05T15:00:00.000Z', '2026-03-05', 'Sent. We answer by Monday.'],
    ['2026-03-06T15:00:00.000Z', '2026-03-10', 'Sent. We answer by Tuesday.'],
    ['2026-03-06T15:00:00.000Z', '2026-03-11', 'We are reviewing your application'],
  ])('of an application sent at %s is on %s: %s [LOOK-79]', (submittedAt, today, title) => {
    expect(tenantStep(app({ status: 'pending', submittedAt }), { ...day, today })?.title).toBe(title)
  })

  test('while a promise on the dates is asked about, is to wait for the day after which the owner can answer [CLAIM-31]', () => {
    const of = (today: string) =>
      tenantStep(app({ status: 'pending', answerBy: '2026-03-18' }), { ...day, today })
    expect(of('2026-03-18')).toEqual({
      kind: 'wait',
      title: 'We will answer by Mar 18, 2026.',
      text: 'Nothing is charged now.',
    })
    expect(of('2026-03-19')?.title).toBe('We are reviewing your application')
  })

  test('is the next payment of the plan [LOOK-21]', () => {
    const step = (next: NonNullable<OutstandingBalance['pay']>['next']) =>
      tenantStep(app(settled), day, outstanding(433_296, { pay: { next }, onItsWayCents: 10_000 }))
    expect(step(installment)).toEqual({
      kind: 'pay',
      title: 'Pay $2,166.48',
      text: 'Payment 3 of 3 is due on Nov 14, 2026.',
    })
    expect(step({ ...installment, dueDate: '2026-11-13' })).toEqual({
      kind: 'pay',
      title: 'Overdue by 1 day: $2,166.48',
      text: 'Payment 3 of 3 was due on Nov 13, 2026.',
      isOverdue: true,
    })
    expect(step({ ...installment, dueDate: '2026-11-06' })?.title).toBe('Overdue by 8 days: $2,166.48')
    expect(step({ ...installment, dueDate: null })?.text).toBe('Payment 3 of 3.')
    expect(step(null)?.title).toBe('Your payment is on its way')
  })

  test('is a booked stay while nothing is due for a month, and names what is next [LOOK-21, LOOK-63]', () => {
    const step = (source: object, dueDate: string) =>
      tenantStep(
        app(source),
        day,
        outstanding(245_000, { pay: { next: { ...installment, amountCents: 245_000, dueDate } } }),
      )
    expect(step(settled, '2027-08-02')).toEqual({
      kind: 'booked',
      title: 'Your stay is booked',
      text: 'Next: $2,450.00, due Aug 2, 2027.',
    })
    expect(step(settled, '2026-12-14')?.title).toBe('Pay $2,450.00')
    expect(step(signed, '2027-08-02')?.title).toBe('Pay $2,450.00')
  })

  test('is the deposit of an accepted offer alone, by its day, then the rest on the day of arrival [CLAIM-26]', () => {
    const open = { depositDueCents: 50_000 }
    const stay = { requestedStartDate: '2027-03-01', requestedEndDate: '2027-03-22' }
    const waiting = { kind: 'deposit', claimId: 'a', depositCents: 50_000, until: '2026-11-20' } as const
    const step = (source: object, cents: number, more: object = open) =>
      tenantStep(app({ ...signed, ...stay, ...source }), day, outstanding(cents, more))
    expect(step({ waiting }, 515_450)).toEqual({
      kind: 'pay',
      title: 'Pay the $500.00 deposit',
      text: 'Please pay it by Nov 20, 2026. The rest, $4,654.50, is due before Mar 1, 2027.',
    })
    expect(step({ waiting: { ...waiting, until: '2026-11-13' } }, 515_450)?.text).toBe(
      'We are checking your payment.',
    )
    const next = { ...installment, dueDate: '2026-11-13' }
    expect(step({ waiting }, 515_450, { ...open, pay: { next } })?.isOverdue).toBe(true)
    expect(step({ waiting }, 515_450, { ...open, pay: { next: { ...next, dueDate: null } } })?.text).toBe(
      'Please pay it by Nov 20, 2026.',
    )
    expect(step({ ...settled, ...stay }, 465_450, { depositDueCents: 0 })).toEqual({
      kind: 'pay',
      title: 'Pay $4,654.50',
      text: 'The rest of your stay is to be paid before Mar 1, 2027.',
      isLater: true,
    })
    expect(step(settled, 515_450)?.text).toBe('$4,654.50 of it is to be paid before Mar 1, 2027.')
    for (const more of [{}, { ...open, onItsWayCents: 50_000 }])
      expect(step(settled, 515_450, more)?.text).toBe('This is what is still to be paid for your stay.')
  })

  test('is deposit and rent where both are due, unless something is overdue [LOOK-80]', () => {
    const step = (dueDate: string) => {
      const depositAndRent = { depositCents: 50_000, rentCents: 180_000 }
      const pay = { next: { ...installment, dueDate }, depositAndRent }
      return tenantStep(app(settled), day, outstanding(433_296, { pay }))
    }
    expect(step(day.today)).toEqual({
      kind: 'pay',
      title: 'Pay $2,300.00',
      text: 'Your deposit and rent are due.',
    })
    expect(step('2026-11-13')?.title).toBe('Overdue by 1 day: $2,166.48')
  })

  test('for several applications is to sign, then to pay, then to wait for the newest one [LOOK-21]', () => {
    const [waiting, paying, signing] = [app({ status: 'pending' }), app(signed), app(toSign)]
    const lead = (list: ReturnType<typeof app>[]) => leadingStep(list, day, () => outstanding(100))?.step.kind
    expect(lead([waiting, paying, signing])).toBe('sign')
    expect(lead([waiting, paying])).toBe('pay')
    expect(lead([app({ status: 'rejected' }), waiting])).toBe('wait')
    expect(lead([app({ status: 'rejected' })])).toBeUndefined()
  })
})

test.each([
  [settled, '2026-11-14', false, 'Everything is settled. We look forward to your stay.'],
  [settled, '2026-11-14', true, 'Your stay is confirmed. Part of it is still to be paid.'],
  [{}, '2026-11-14', false, 'Your stay is confirmed. We have no signed lease and no payment on record.'],
  [signed, '2026-11-14', false, 'Your stay is confirmed. We have no payment on record.'],
  [{ paymentReceived: true }, '2026-12-01', false, 'Enjoy your stay. We have no signed lease on record.'],
  [settled, '2026-12-01', false, 'Everything is settled. Enjoy your stay.'],
  [{}, '2026-12-16', false, 'Thank you for being our guest.'],
  [{ withoutLease: true }, '2026-11-14', false, 'Your stay is confirmed. We have no payment on record.'],
  [
    { withoutLease: true, paymentReceived: true },
    '2026-12-01',
    true,
    'Enjoy your stay. Part of it is still to be paid.',
  ],
  [
    { withoutLease: true, paymentReceived: true },
    '2026-11-14',
    false,
    'Everything is settled. We look forward to your stay.',
  ],
] as const)(
  'shows the sentence for a complete booking with %o, on %s, balance due: %s [LOOK-46, LOOK-05]',
  (source, today, owes, sentence) => {
    expect(bookedSentence(app({ ...source, status: 'completed' }), today, owes)).toBe(sentence)
  },
)

test('nothing is promised for a stay that has begun before it was completed [LOOK-46]', () => {
  const source = app({ ...settled, status: 'approved' })
  expect(bookedSentence(source, '2026-11-14')).toContain('complete your booking')
  expect(bookedSentence(app({ withoutLease: true }), '2026-11-14')).toBe('Your stay is confirmed.')
  expect(bookedSentence(source, '2026-12-01')).toBe('Nothing is left to pay.')
  expect(bookedSentence(source, '2026-12-01', true)).toBe('Part of the payment is still open.')
  expect(bookedSentence(source, '2026-12-01', true, true)).toBe('A payment is overdue.')
})
