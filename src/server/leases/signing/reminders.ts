import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { applications, leases, signers, signings, users } from '../../../../db/schema.ts'
import { addDays, dateIn } from '../../../domain/common/dates.ts'
import { hourOfDateIn, mailHour } from '../../../domain/common/zoned-time.ts'
import { signingSection } from '../../../domain/leases/signing-input.ts'
import { createLink, issueToken } from '../../auth/sessions/access-links.ts'
import { nowIso } from '../../kernel/deps.ts'
import type { MailSources } from '../../mail/define-mail.ts'
import { mailState } from '../../mail/outbox.ts'
import type { ScheduledMailSource } from '../../mail/scheduled-mails.ts'
import { currentSite } from '../../site/content/published.ts'
import { readSection } from '../../site/settings.ts'
import { linkEnd } from './invite.ts'
import { emailOf, setSignerEmail } from './records.ts'

/** Reminds who has not signed, at nine o'clock of the chosen days; of several missed the newest alone (SIGNER-14). */
export const signReminders: ScheduledMailSource = {
  name: 'reminders to sign',
  due: deps => {
    const { db } = deps
    const waiting = whoIsAsked(db)
    if (waiting.length === 0) return undefined
    const { timeZone } = currentSite(deps)
    const days = readSection(db, signingSection).body.reminderDays.toSorted((a, b) => b - a)
    const mails = waiting.flatMap(({ accountEmail, applicationId, signer }) => {
      const invitedOn = dateIn(new Date(signer.invitedAt), timeZone)
      const day = days.find(
        day => hourOfDateIn(addDays(invitedOn, day), mailHour, timeZone) <= deps.clock.now(),
      )
      const dedupeKey = `sign-reminder:${signer.id}:${day}`
      if (day === undefined || mailState(db, dedupeKey) !== undefined) return []
      const to = emailOf(deps, signer, accountEmail)
      return { kind: 'sign-reminder' as const, to, dedupeKey, props: { signerId: signer.id, applicationId } }
    })
    return mails.length > 0 ? { mails } : undefined
  },
}

function whoIsAsked(db: Db, signerId?: string) {
  const isWaiting = and(isNull(signers.signedAt), isNull(signers.removedAt))
  return db
    .select({
      signer: signers,
      applicationId: applications.id,
      number: applications.number,
      userId: applications.userId,
      firstName: applications.firstName,
      lastName: applications.lastName,
      accountEmail: users.email,
      document: leases.kind,
    })
    .from(signings)
    .innerJoin(signers, and(eq(signers.signingId, signings.id), isWaiting))
    .innerJoin(leases, eq(leases.id, signings.leaseId))
    .innerJoin(applications, and(eq(applications.id, leases.applicationId), isNull(applications.deletedAt)))
    .innerJoin(users, eq(users.id, applications.userId))
    .where(and(eq(signings.state, 'open'), signerId === undefined ? undefined : eq(signers.id, signerId)))
    .orderBy(asc(signers.invitedAt), asc(signers.position))
    .all()
}

/** A reminder's content, with the token of a link of its own; earlier links live on. */
export const signReminderFacts: MailSources['signReminder'] = (deps, { signerId, to }) =>
  // In one write, so that no change of the address comes between.
  deps.write(tx => {
    const [found] = whoIsAsked(tx, signerId)
    if (!found) return undefined
    const { accountEmail, applicationId, document, number, signer, userId } = found
    // A former address gets no link.
    if (to !== emailOf(deps, signer, accountEmail)) return undefined
    setSignerEmail(deps, tx, signer, to)
    const at = nowIso(deps)
    const person = { subjectId: signerId, personId: signer.role === 'tenant' ? userId : null }
    const link = createLink(tx, at, { kind: 'sign', ...person, expiresAt: linkEnd(tx, at) })
    const issued = issueToken(tx, at, link.id)
    if (!issued) return undefined
    return {
      firstName: signer.firstName,
      role: signer.role,
      document,
      applicationId,
      ...issued,
      tenantName: `${found.firstName} ${found.lastName}`,
      applicationNumber: number,
    }
  })
