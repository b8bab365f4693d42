import type { Deps } from '../../kernel/deps.ts'
import { passwordGuessing } from './checks/accounts.ts'
import { calendars } from './checks/calendars.ts'
import { adminWithoutFactor, installationKey } from './checks/factors.ts'
import { changedLeaseTexts, changedLeaseTotals } from './checks/leases.ts'
import { failedMails, waitingMails } from './checks/mail.ts'
import {
  bankPayments,
  openDisputes,
  overdrafts,
  quarantinedEvents,
  unexpectedPayments,
} from './checks/money.ts'
import { passkeys } from './checks/passkeys.ts'
import { overduePlans } from './checks/plans.ts'
import { clockSkew, missingSettings } from './checks/setup.ts'
import { unreadableContent } from './checks/site.ts'
import { backups, damagedFiles, orphanedFiles } from './checks/storage.ts'
import { unusableWordings } from './checks/wordings.ts'
import type { Check, Finding, Notice } from './notice.ts'

/** In the order shown on the notice board. */
const checks: Check[] = [
  missingSettings,
  failedMails,
  waitingMails,
  openDisputes,
  bankPayments,
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
  passkeys,
  calendars,
  unreadableContent,
]

/** The owner's notice board. */
export function listNotices(deps: Deps): Notice[] {
  return findings(deps).map(({ ownMail: _, ...notice }) => notice)
}

/** The critical (red) notices, except those with a separate mail to the owner. */
export function listCriticalNotices(deps: Deps): Notice[] {
  return findings(deps).flatMap(({ ownMail, ...notice }) =>
    notice.tone === 'danger' && !ownMail ? [notice] : [],
  )
}

function findings(deps: Deps): (Notice & Pick<Finding, 'ownMail'>)[] {
  return checks
    .flatMap(check => check(deps))
    .map(finding => ({ tone: 'danger', at: null, action: null, ...finding }))
}
