import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../db/open.ts'
import type { Deps } from '../kernel/deps.ts'
import { enqueueMail } from '../messages/outbox.ts'
import { currentSite } from '../site/content/current-site.ts'
import { type ApplicationRecord, bookedStayOf } from './records.ts'

type TenantMail =
  | 'application-received'
  | 'application-approved'
  | 'application-declined'
  | 'lease-ready'
  | 'booking-complete'
type OwnerMail = 'owner-new-application' | 'owner-withdrawn'

/** Mails the tenant about an application. One mail per `occasion`; without one, each call sends a mail. */
export function notifyTenant(
  tx: Tx,
  at: string,
  kind: TenantMail,
  { application, account }: ApplicationRecord,
  occasion: string = randomUUID(),
): void {
  const { start, end } = bookedStayOf(application)
  enqueueMail(tx, at, {
    kind,
    to: account.email,
    dedupeKey: `${kind}:${application.id}:${occasion}`,
    props: {
      firstName: application.firstName,
      applicationNumber: application.number,
      applicationId: application.id,
      startDate: start,
      endDate: end,
      ...(application.notes && { notes: application.notes }),
    },
  })
}

/** Mails the owner about an application, and what it holds in cents, once per kind; replies go to the tenant. */
export function notifyOwner(
  deps: Pick<Deps, 'config' | 'siteContent'>,
  tx: Tx,
  at: string,
  kind: OwnerMail,
  { application, account }: ApplicationRecord,
  paidCents = 0,
): void {
  const { start, end } = bookedStayOf(application)
  enqueueMail(tx, at, {
    kind,
    to: currentSite(deps).ownerEmail,
    replyTo: account.email,
    dedupeKey: `${kind}:${application.id}`,
    props: {
      applicationNumber: application.number,
      applicationId: application.id,
      applicantName: `${application.firstName} ${application.lastName}`,
      startDate: start,
      endDate: end,
      ...(paidCents > 0 && { paidCents }),
    },
  })
}
