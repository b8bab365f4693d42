import { z } from 'zod'
import { cancellationNotices } from '../../applications/cancellation/notices.ts'
import { incompleteOffers } from '../../applications/offers/notices.ts'
import { stayNotices } from '../../arrival/notices.ts'
import { adminWithoutFactor, installationKey } from '../../auth/factors/notices.ts'
import { listPasskeyNotices } from '../../auth/factors/passkeys/queries.ts'
import { passwordGuessing } from '../../auth/sessions/login-throttle.ts'
import { calendars } from '../../bookings/calendars/notices.ts'
import { missingRates } from '../../bookings/rates.ts'
import { unansweredMessages } from '../../conversations/mails.ts'
import { clockSkew, localAddress, missingSettings } from '../../kernel/config-notices.ts'
import type { Deps } from '../../kernel/deps.ts'
import { damagedFiles, orphanedFiles } from '../../kernel/files/notices.ts'
import { type FoundNotice, type Notice, type NoticeCheck, noticeView } from '../../kernel/notice.ts'
import { changedLeaseTexts, changedLeaseTotals } from '../../leases/notices.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { failedMails, waitingMails } from '../../mail/notices.ts'
import { listBankNotices } from '../../money/bank-notices.ts'
import { overpaidTaxes } from '../../money/books/remittances.ts'
import { depositNotices } from '../../money/deposits/watch.ts'
import { overduePlans } from '../../money/due.ts'
import {
  lostTwice,
  openDisputes,
  overdrafts,
  quarantinedEvents,
  unexpectedPayments,
} from '../../money/payments/notices.ts'
import { eventsBehind } from '../../money/payments/reconcile/catch-up.ts'
import { missedEvents } from '../../money/payments/reconcile/missed-events.ts'
import { lostSecrets, testModeCards } from '../../setup/notices.ts'
import { unusableWordings } from '../../site/content/wordings.ts'
import { unreadableContent } from '../../site/editor/unreadable-content.ts'
import { elsewhereNotices } from '../backup/elsewhere/state.ts'
import { backups, backupsElsewhere } from '../backup/last-backup.ts'
import { restored } from '../backup/restored.ts'
import { machineNotices } from '../upgrade/machine-report.ts'
import { isSnoozed } from './notice-actions.ts'

/** In the order shown on the notice board. */
const checks: NoticeCheck[] = [
  localAddress,
  missingSettings,
  lostSecrets,
  testModeCards,
  missingRates,
  restored,
  // A guest may be at the door.
  stayNotices,
  failedMails,
  waitingMails,
  openDisputes,
  listBankNotices,
  unexpectedPayments,
  quarantinedEvents,
  missedEvents,
  eventsBehind,
  lostTwice,
  overdrafts,
  overduePlans,
  incompleteOffers,
  depositNotices,
  cancellationNotices,
  overpaidTaxes,
  unansweredMessages,
  damagedFiles,
  orphanedFiles,
  changedLeaseTexts,
  changedLeaseTotals,
  unusableWordings,
  backups,
  backupsElsewhere,
  elsewhereNotices,
  machineNotices,
  clockSkew,
  passwordGuessing,
  installationKey,
  adminWithoutFactor,
  listPasskeyNotices,
  calendars,
  unreadableContent,
]

export const noticesResponse = z.strictObject({ notices: z.array(noticeView) })

/** The owner's notice board. Others may have a turn between two checks. */
export async function listNotices(deps: Deps): Promise<Notice[]> {
  const notices: Notice[] = []
  for (const check of checks) {
    notices.push(...found(deps, check).map(({ ownMail: _, ...notice }) => notice))
    await yieldToEventLoop()
  }
  return notices
}

/** The critical (red) notices, except those with a separate mail to the owner. */
export function listCriticalNotices(deps: Deps): Notice[] {
  return checks
    .flatMap(check => found(deps, check))
    .flatMap(({ ownMail, ...notice }) => (notice.tone === 'danger' && !ownMail ? [notice] : []))
}

function found(deps: Deps, check: NoticeCheck): (Notice & Pick<FoundNotice, 'ownMail'>)[] {
  return check(deps)
    .map(notice => ({ tone: 'danger' as const, at: null, action: null, ...notice }))
    .filter(({ id }) => !isSnoozed(deps, id))
}
