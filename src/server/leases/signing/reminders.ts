import type { Db } from '../../../../db/open.ts'
import { addDays, dateIn } from '../../../domain/common/dates.ts'
import { hourOfDateIn, mailHour } from '../../../domain/common/zoned-time.ts'
import { signingSection } from '../../../domain/leases/signing-input.ts'
import { issueToken } from '../../auth/sessions/access-links.ts'
import { nowIso } from '../../kernel/deps.ts'
import { isJustRestored } from '../../kernel/restored.ts'
import type { MailSources } from '../../mail/define-mail.ts'
import { mailState } from '../../mail/outbox.ts'
import type { ScheduledMailSource } from '../../mail/scheduled-mails.ts'
import { currentSite } from '../../site/content/published.ts'
import { readSection } from '../../site/settings.ts'
import { makeLink, signFacts } from './invite.ts'
import { emailOf, openSignings, recordOf, setSignerEmail } from './records.ts'

/** Reminds who has not signed, at nine o'clock of the chosen days; of several missed the newest alone (SIGNER-14). */
export const signReminders: ScheduledMailSource = {
  name: 'reminders to sign',
  due: deps => {
    const { db } = deps
    const waiting = whoIsAsked(db)
    if (waiting.length === 0 || isJustRestored(deps)) return undefined
    const { timeZone } = currentSite(deps)
    const days = readSection(db, signingSection).body.reminderDays.toSorted((a, b) => b - a)
    const mails = waiting.flatMap(({ record: { account, application }, signer }) => {
      const invitedOn = dateIn(new Date(signer.invitedAt), timeZone)
      const day = days.find(
        day => hourOfDateIn(addDays(invitedOn, day), mailHour, timeZone) <= deps.clock.now(),
      )
      const dedupeKey = `sign-reminder:${signer.id}:${day}`
      if (day === undefined || mailState(db, dedupeKey) !== undefined) return []
      const to = emailOf(deps, signer, account.email)
      const props = { signerId: signer.id, applicationId: application.id }
      return { kind: 'sign-reminder' as const, to, dedupeKey, props }
    })
    return mails.length > 0 ? { mails } : undefined
  },
}

const whoIsAsked = (db: Db) =>
  openSignings(db).flatMap(signing => {
    const record = recordOf(db, signing)
    const missing = signing.signers.filter(({ removedAt, signedAt }) => !removedAt && !signedAt)
    return record ? missing.map(signer => ({ record, signer, signing })) : []
  })

/** A reminder's content, with the token of a link of its own; earlier links live on. */
export const signReminderFacts: MailSources['signReminder'] = (deps, { signerId, to }) =>
  // In one write, so that no change of the address comes between.
  deps.write(tx => {
    const found = whoIsAsked(tx).find(({ signer }) => signer.id === signerId)
    if (!found) return undefined
    const { record, signer, signing } = found
    // A former address gets no link.
    if (to !== emailOf(deps, signer, record.account.email)) return undefined
    setSignerEmail(deps, tx, signer, to)
    const at = nowIso(deps)
    const issued = issueToken(tx, at, makeLink(tx, at, record, signer).id)
    return issued && { ...signFacts(record, signing, signer), ...issued }
  })
