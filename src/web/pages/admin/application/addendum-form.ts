import { z } from 'zod'
import { addDays, type CalendarDate } from '../../../../domain/common/dates.ts'
import { defaultAddendumDays, givenLine, newAddendumForm } from '../../../../domain/leases/addendum.ts'
import { asSignedCents } from '../../../features/payments/dollar-amount.ts'
import type { Application } from './application-data.ts'
import { paymentRow } from './plan-change-form.ts'

/** A line as typed. As in a lease, a discount is typed above zero and lowers the taxable amount. */
const typedLine = z
  .object({ ...givenLine.shape, amountCents: z.string() })
  .transform(({ amountCents, ...line }): z.input<typeof givenLine> => {
    const cents = asSignedCents.setValueAs(amountCents) ?? Number.NaN
    return line.kind === 'discount'
      ? { ...line, amountCents: -Math.abs(cents), taxable: true }
      : { ...line, amountCents: cents }
  })
  .pipe(givenLine)

const typedPayment = paymentRow.transform(({ amountCents, dueDate }, context) => {
  if (dueDate === null)
    context.addIssue({ code: 'custom', path: ['dueDate'], message: 'Please choose a date' })
  return { amountCents, dueDate: dueDate ?? '' }
})

/** The form for an addendum, with lines and payments as typed. */
export const addendumForm = newAddendumForm
  .omit({ lines: true, overrideCalendar: true })
  .extend({ extraLines: z.array(typedLine), rentDue: z.array(typedPayment) })

/** The terms in force; nothing has changed yet. */
export const startingAddendum = (
  { depositAmount, leaseEndDate, leaseStartDate, rentalAmount }: Application,
  today: CalendarDate,
): z.input<typeof addendumForm> => ({
  leaseStartDate,
  leaseEndDate,
  rentalAmount,
  depositAmount,
  extraLines: [],
  rentDue: [],
  note: '',
  validUntil: addDays(today, defaultAddendumDays),
})
