import { z } from 'zod'
import { adminWithoutFactor, installationKey } from '../../auth/factors/notices.ts'
import { listPasskeyNotices } from '../../auth/factors/passkeys/queries.ts'
import { passwordGuessing } from '../../auth/sessions/login-throttle.ts'
import { calendars } from '../../bookings/calendars/notices.ts'
import { clockSkew, missingSettings } from '../../kernel/config-notices.ts'
import type { Deps } from '../../kernel/deps.ts'
import { damagedFiles, orphanedFiles } from '../../kernel/files/notices.ts'
import { type FoundNotice, type Notice, type NoticeCheck, noticeView } from '../../kernel/notice.ts'
import { changedLeaseTexts, changedLeaseTotals } from '../../leases/notices.ts'
import { failedMails, waitingMails } from '../../messages/notices.ts'
import { listBankNotices } from '../../money/bank-notices.ts'
import { overduePlans } from '../../money/due.ts'
import {
  openDisputes,
  overdrafts,
  quarantinedEvents,
  unexpectedPayments,
} from '../../money/payments/notices.ts'
import { unusableWordings } from '../../site/content/wordings.ts'
import { unreadableContent } from '../../site/editor/unreadable-content.ts'
import { backups } from '../backup/last-backup.ts'
import { isSnoozed } from './notice-actions.ts'

/** In the order shown on the notice board. */
const checks: NoticeCheck[] = [
  missingSettings,
  failedMails,
  waitingMails,
  openDisputes,
  listBankNotices,
  unexpectedPayments,
  quarantinedEvents,
  overdrafts,
  overduePlans,
  damagedFiles,
  orphanedFiles,
  changedLeaseTexts,
  changedLeaseTotals,
  unusableWordings,
  backups,
  clockSkew,
  passwordGuessing,
  installationKey,
  adminWithoutFactor,
  listPasskeyNotices,
  calendars,
  unreadableContent,
]

export const noticesResponse = z.strictObject({ notices: z.array(noticeView) })

/** The owner's notice board. */
export function listNotices(deps: Deps): Notice[] {
  return found(deps).map(({ ownMail: _, ...notice }) => notice)
}

/** The critical (red) notices, except those with a separate mail to the owner. */
export function listCriticalNotices(deps: Deps): Notice[] {
  return found(deps).flatMap(({ ownMail, ...notice }) =>
    notice.tone === 'danger' && !ownMail ? [notice] : [],
  )
}

function found(deps: Deps): (Notice & Pick<FoundNotice, 'ownMail'>)[] {
  return checks
    .flatMap(check => check(deps))
    .map(notice => ({ tone: 'danger' as const, at: null, action: null, ...notice }))
    .filter(({ id }) => !isSnoozed(deps, id))
}
