import { randomUUID } from 'node:crypto'
import { addenda, leases } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { applicationChangedMessage } from '../../../domain/bookings/application-status.ts'
import { endOfDay } from '../../../domain/bookings/claim.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import {
  defaultAddendumDays,
  maxAddendumDays,
  type NewAddendumInput,
} from '../../../domain/leases/addendum.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import {
  acceptanceOf,
  acceptedPart,
  assertBookable,
  recordOverride,
} from '../../bookings/calendars/bookable.ts'
import { updateConflicts } from '../../bookings/calendars/conflicts.ts'
import { refreshStaleFeeds } from '../../bookings/calendars/refresh-stale.ts'
import { makeClaims } from '../../bookings/claims.ts'
import { getSubmittedApplication } from '../../bookings/records.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { sha256 } from '../../lib/sha256.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { inviteSameSigners } from '../signing/invite.ts'
import { expireAddenda } from './close.ts'
import { draftAddendum, stayOfTerms } from './draft.ts'
import { loadAddendum } from './records.ts'
import { type AddendumView, presentAddendum } from './views.ts'

/**
 * Makes an addendum, holds the nights that it adds, and mails the tenant (CHANGE-19 to CHANGE-24).
 * @throws AppError like `draftAddendum` and `assertBookable`; conflict for another text than was previewed; bad_request at
 * `validUntil`
 */
export async function makeAddendum(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  input: NewAddendumInput,
): Promise<AddendumView> {
  const accept = acceptanceOf(deps, input.overrideCalendar)
  getSubmittedApplication(deps.db, actor, applicationId)
  if (input.leaseStartDate || input.leaseEndDate) await refreshStaleFeeds(deps)
  return deps.write(tx => {
    expireAddenda(deps, tx, applicationId)
    const draft = draftAddendum(deps, tx, actor, applicationId, input)
    const { added, after, before, body, number, record, text, wordingVersion } = draft
    const textSha256 = sha256(text)
    if (textSha256 !== (input.addendumTextSha256 ?? textSha256))
      throw new AppError('conflict', applicationChangedMessage)
    const validUntil = validUntilOf(deps, input)
    const [at, id] = [nowIso(deps), randomUUID()]
    const held = stayOfTerms(before)
    const taken = assertBookable(deps, tx, { applicationId, stay: stayOfTerms(after), held, accept })
    tx.insert(leases)
      .values({
        id,
        applicationId,
        kind: 'addendum',
        number,
        ...after,
        text,
        textSha256,
        wordingVersion,
        generatedAt: at,
      })
      .run()
    tx.insert(addenda)
      .values({
        leaseId: id,
        before,
        lines: body,
        validUntil,
        note: input.note,
        overrideCalendar: taken.map(acceptedPart),
        createdBy: actor.userId,
      })
      .run()
    failpoint('in-addendum-write')
    const untilAt = endOfDay(validUntil, deps.config.site.timeZone)
    const claimIds = makeClaims(deps, tx, actor, added, {
      kind: 'addendum',
      untilAt,
      applicationId,
      leaseId: id,
    })
    recordOverride(deps, tx, actor, applicationId, taken)
    recordEvent(tx, at, actor, 'lease.addendum_made', applicationId, {
      addendum: number,
      addendumTextSha256: textSha256,
      differenceCents: sumOf(body.lines),
      validUntil,
    })
    const { account, application } = record
    enqueueMail(tx, at, {
      kind: 'addendum-ready',
      to: account.email,
      dedupeKey: `addendum-ready:${id}`,
      props: {
        firstName: application.firstName,
        applicationNumber: application.number,
        applicationId,
        validUntil,
        note: input.note,
        stay: formatShortStay(stayOfTerms(after)),
        owedAfterCents: body.owedBeforeCents + sumOf(body.lines),
      },
    })
    inviteSameSigners(deps, tx, actor, applicationId, id)
    updateConflicts(deps, tx, { claimIds, taken })
    return presentAddendum(deps, loadAddendum(tx, actor, id))
  })
}

function validUntilOf(deps: Deps, { validUntil }: NewAddendumInput): string {
  const today = todayAt(deps)
  const last = addDays(today, maxAddendumDays)
  const until = validUntil ?? addDays(today, defaultAddendumDays)
  if (until < today || until > last)
    throw fieldError('validUntil', `Please choose a day from today to ${maxAddendumDays} days ahead`)
  return until
}
