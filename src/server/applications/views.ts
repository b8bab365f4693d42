import { z } from 'zod'
import { nextStepKinds } from '../../domain/bookings/next-step.ts'
import { apiCents, wireDate, wireMoment } from '../../domain/common/wire.ts'
import { paymentMethods, paymentTypes } from '../../domain/money/ledger.ts'
import { adminApplicationView } from '../bookings/views.ts'

/** What has to happen next with an application; `amountCents` is 0 for a step without money. */
export const nextStepView = z
  .strictObject({
    kind: z.enum(nextStepKinds),
    amountCents: apiCents,
    dueDate: wireDate.optional().meta({ description: 'Of a payment that is not due yet' }),
    waitsFor: z.string().optional().meta({ description: 'Who has yet to sign after the tenant' }),
  })
  .meta({ id: 'NextStep' })

/** An application of the admin's table; `nextStep` is null when nothing is left to do. */
export const listedApplicationView = adminApplicationView
  .extend({ nextStep: nextStepView.nullable() })
  .meta({ id: 'ListedApplication' })

/** How many submitted applications there are, by status. */
export const applicationCounts = z.strictObject({
  total: z.int(),
  pending: z.int(),
  approved: z.int(),
  rejected: z.int(),
  completed: z.int(),
  /** Left out while there is none. */
  cancelled: z.int().optional(),
})
export type ApplicationCounts = z.infer<typeof applicationCounts>

const decisionView = z.strictObject({
  start: wireDate,
  end: wireDate,
  guests: z.int(),
  phone: z.string(),
  rentCents: apiCents.nullable(),
  depositCents: apiCents,
  freeBefore: z.int().nullable(),
  freeAfter: z.int().nullable(),
})
/** What the owner saw of an application when answering it; when it is another meanwhile, the answer is refused. */
export const seenDecision = decisionView
  .pick({ start: true, end: true, guests: true, rentCents: true, depositCents: true })
  .strip()
  .optional()
export type SeenDecision = z.output<typeof seenDecision>

/** What an admin should know before changing the status; money in cents without card fees. */
export const statusPreviewView = z.strictObject({
  /** The price by today's rates, the people, and the nights that stay free around the stay. */
  decision: decisionView,
  /** Booked applications that prevent approving or completing. */
  conflicts: z.array(
    z.strictObject({
      id: z.string(),
      number: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      start: wireDate,
      end: wireDate,
    }),
  ),
  /**
   * Nights of the stay that are taken on other platforms, except nights that this application already has, one entry
   * for each event: they prevent approving unless overridden. Left out when there are none.
   */
  imported: z
    .array(
      z.strictObject({
        feedId: z.string(),
        feedName: z.string(),
        startDate: wireDate,
        /** Exclusive. */
        endDate: wireDate,
        /** When the feed was last read. */
        lastSuccessAt: wireMoment.nullable(),
      }),
    )
    .optional(),
  /** Sent as `overrideCalendar`, it accepts these nights. Left out when there are none. */
  overrideKey: z.string().optional(),
  /** Nights that the owner blocked; they do not prevent approving. */
  blockedNights: z.array(wireDate),
  /** Booking rules that the stay breaks, as sentences; they do not prevent approving. */
  warnings: z.array(z.string()),
  /** What the tenant has paid for the stay; once it is declined or cancelled, what is left of it to give back. */
  paidCents: apiCents,
  paymentsToRefund: z.array(
    z.strictObject({
      id: z.string(),
      type: z.enum(paymentTypes),
      method: z.enum(paymentMethods),
      paidAt: wireMoment.nullable(),
      amountCents: apiCents,
    }),
  ),
  /** Pending card payments; declining closes their checkouts. */
  openCheckouts: z.int(),
  /** Bank payments in progress, which cannot be stopped. */
  processingPayments: z.int(),
})
export type StatusPreview = z.infer<typeof statusPreviewView>

/** A mail about an application. */
export const bookingMail = z.strictObject({
  id: z.string(),
  to: z.string(),
  state: z.enum(['queued', 'sent', 'failed', 'withdrawn']),
  createdAt: wireMoment,
  sentAt: wireMoment.nullable(),
  subject: z.string(),
  /** Null before it is sent, and for a mail with a link or a code. */
  words: z.string().nullable(),
})
export type BookingMail = z.infer<typeof bookingMail>

export const mailPreview = z.strictObject({ subject: z.string(), words: z.string() })
export type MailPreview = z.infer<typeof mailPreview>

/** The result for each application, in the order of the request. */
export const bulkResponse = z.strictObject({
  results: z.array(
    z.discriminatedUnion('ok', [
      z.strictObject({ id: z.string(), ok: z.literal(true) }),
      z.strictObject({ id: z.string(), ok: z.literal(false), error: z.string() }),
    ]),
  ),
})
export type ItemResult = z.infer<typeof bulkResponse>['results'][number]
