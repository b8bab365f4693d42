import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../db/open.ts'
import { accessLinks, users } from '../../../db/schema.ts'
import { shownEmail } from '../../domain/accounts/account-rules.ts'
import { applicationStatuses } from '../../domain/bookings/application-status.ts'
import { bookingSourceLabels, bookingSources } from '../../domain/bookings/booking-source.ts'
import { guestCount } from '../../domain/bookings/people.ts'
import { centsToDollars } from '../../domain/common/money.ts'
import { apiCents, recordIds, wireDate, wireDollars, wireMoment } from '../../domain/common/wire.ts'
import { signedByKinds } from '../../domain/leases/lease.ts'
import { view } from '../kernel/view.ts'
import { type ApplicationRecord, isSigned, signingOf } from './records.ts'

const invitationState = z
  .strictObject({
    sentAt: wireMoment,
    expiresAt: wireMoment,
    /** When the guest proved the mailbox, by the invitation link or otherwise. */
    acceptedAt: wireMoment.nullable(),
  })
  .meta({ id: 'InvitationState' })
type InvitationState = z.infer<typeof invitationState>

/**
 * The newest invitation of each person who has one, preferring one that is not revoked. Ignores an invitation that was
 * revoked while the mailbox is not proven.
 */
function invitationsOf(db: Db, personIds: readonly string[]): Map<string, InvitationState> {
  if (personIds.length === 0) return new Map()
  const links = db
    .select({ link: accessLinks, personId: users.id, acceptedAt: users.mailboxProvenAt })
    .from(accessLinks)
    .innerJoin(users, eq(users.id, accessLinks.personId))
    .where(and(inArray(accessLinks.personId, [...personIds]), eq(accessLinks.kind, 'invitation')))
    // The map below keeps the last row of each person.
    .orderBy(desc(sql`${accessLinks.revokedAt} is not null`), asc(accessLinks.createdAt))
    .all()
  const newest = new Map(links.map(row => [row.personId, row]))
  return new Map(
    [...newest].flatMap(([personId, { acceptedAt, link }]) => {
      if (link.revokedAt !== null && acceptedAt === null) return []
      return [[personId, { sentAt: link.createdAt, expiresAt: link.expiresAt, acceptedAt }] as const]
    }),
  )
}

export const signedLeaseFile = z
  .strictObject({
    originalName: z.string(),
    uploadedBy: z.enum(['admin', 'user']),
    uploadedAt: wireMoment,
    size: z.int().meta({ description: 'Bytes' }),
  })
  .meta({ id: 'SignedLeaseFile' })

const common = {
  ...recordIds,
  applicationNumber: z.string(),
  status: z.enum(applicationStatuses),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  secondApplicantFirstName: z.string(),
  secondApplicantLastName: z.string(),
  address: z.strictObject({
    street: z.string(),
    city: z.string(),
    state: z.string(),
    zipCode: z.string(),
  }),
  requestedStartDate: wireDate,
  requestedEndDate: wireDate,
  additionalGuests: z.array(
    z.strictObject({ firstName: z.string(), lastName: z.string(), isAdult: z.boolean() }),
  ),
  guestCount: z.int(),
  notes: z.string(),
  guestNote: z.string().meta({ description: 'What the guest wrote with the application' }),
  createdAt: wireMoment,
  updatedAt: wireMoment,
  submittedAt: wireMoment.nullable(),
  leaseGenerated: z.boolean(),
  leaseStartDate: wireDate.nullable(),
  leaseEndDate: wireDate.nullable(),
  rentalAmount: wireDollars.nullable(),
  depositAmount: wireDollars.nullable(),
  totalAmount: wireDollars,
  leaseSigned: z.boolean(),
  leaseSignedAt: wireMoment.nullable(),
  signedBy: z.enum(signedByKinds).nullable(),
  signedLeaseFile: signedLeaseFile.nullable(),
  paymentReceived: z.boolean(),
  signing: z
    .strictObject({ signed: z.int(), of: z.int() })
    .optional()
    .meta({ description: 'Who has signed by an own link, while the invitations are out' }),
  tenantSigned: z
    .literal(true)
    .optional()
    .meta({ description: 'The tenant has signed, and others are missing' }),
  withoutLease: z
    .literal(true)
    .optional()
    .meta({ description: 'The owner entered or offered it, and it needs no lease; in answers that read it' }),
  source: z.enum(bookingSources),
  sourceLabel: z.string(),
  message: z.null(),
}

/** An application as its tenant sees it. */
export const applicationView = z
  .strictObject({
    ...common,
    userId: z.string(),
    /** By when the owner answers, where that is known (CLAIM-31). */
    answerBy: wireDate.optional(),
    /** What waits for the tenant besides lease and payment. */
    waiting: z
      .discriminatedUnion('kind', [
        z.strictObject({
          kind: z.enum(['offer', 'deposit']),
          claimId: z.string(),
          depositCents: apiCents,
          until: wireDate,
        }),
        z.strictObject({ kind: z.literal('addendum'), until: wireDate }),
        z.strictObject({ kind: z.literal('claim'), amountCents: apiCents, until: wireDate }),
        z.strictObject({ kind: z.literal('refund'), amountCents: apiCents }),
      ])
      .optional(),
  })
  .meta({ id: 'Application' })
export type ApplicationView = z.infer<typeof applicationView>

/** An application as the admin sees it. */
export const adminApplicationView = z
  .strictObject({
    ...common,
    userId: z.strictObject({ ...recordIds, email: z.string() }),
    sourceNote: z.string(),
    /** The guest's newest invitation, if the owner entered the booking. */
    invitation: invitationState.nullable(),
    /**
     * Who can open the booking: `unproven` if somebody registered the email without proving the mailbox, to whom it is
     * closed, `no_password` if nobody can log in yet.
     */
    guestAccess: z.enum(['open', 'unproven', 'no_password']),
  })
  .meta({ id: 'AdminApplication' })
export type AdminApplicationView = z.infer<typeof adminApplicationView>

/** An application as the tenant sees it; rent, deposit and total in dollars. */
export function presentForTenant(record: ApplicationRecord): ApplicationView {
  return view(applicationView, present(record))
}

/**
 * An application as the admin sees it: with the account's login email in addition to the contact email, and the
 * guest's invitation if the owner entered or offered the booking.
 */
export function presentForAdmin(db: Db, record: ApplicationRecord): AdminApplicationView {
  const [view] = presentListForAdmin(db, [record])
  if (!view) throw new Error('no view for the record')
  return view
}

/** Like `presentForAdmin` for a list; loads invitations in one query, and only if the owner entered or offered a booking. */
export function presentListForAdmin(db: Db, records: ApplicationRecord[]): AdminApplicationView[] {
  const entered = records.filter(({ application }) => application.source !== 'tenant')
  const invitations = invitationsOf(
    db,
    entered.map(({ application }) => application.userId),
  )
  return records.map(record => {
    const { source, userId } = record.application
    return view(adminApplicationView, {
      ...present(record),
      userId: { _id: userId, id: userId, email: shownEmail(record.account.email) },
      invitation: (source !== 'tenant' && invitations.get(userId)) || null,
      guestAccess:
        record.account.hasPassword === 0 ? 'no_password' : record.isClosed === 1 ? 'unproven' : 'open',
    })
  })
}

function present(record: ApplicationRecord) {
  const { application: row, lease, paymentReceived, signedFile } = record
  const { of, own, signed } = signingOf(record)
  return {
    ...row,
    applicationNumber: row.number,
    email: shownEmail(row.email),
    address: { street: row.street, city: row.city, state: row.state, zipCode: row.zipCode },
    guestCount: guestCount(row),
    leaseGenerated: lease !== null,
    leaseStartDate: lease ? row.stayStartDate : null,
    leaseEndDate: lease ? row.stayEndDate : null,
    rentalAmount: toDollars(row.rentCents),
    depositAmount: toDollars(row.depositCents),
    totalAmount: centsToDollars(row.totalCents),
    leaseSigned: isSigned(lease),
    leaseSignedAt: lease?.signedAt ?? null,
    signedBy: lease?.signedBy ?? null,
    signedLeaseFile: signedFile && {
      originalName: signedFile.originalName,
      uploadedBy: lease?.signedBy === 'admin_upload' ? ('admin' as const) : ('user' as const),
      uploadedAt: signedFile.createdAt,
      size: signedFile.sizeBytes,
    },
    paymentReceived: paymentReceived === 1,
    ...(of > 0 && { signing: { signed, of } }),
    ...(own > 0 && { tenantSigned: true as const }),
    sourceLabel: bookingSourceLabels[row.source],
    message: null,
  }
}

const toDollars = (cents: number | null) => (cents === null ? null : centsToDollars(cents))
