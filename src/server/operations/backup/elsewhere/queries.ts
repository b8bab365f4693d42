import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { backupSection } from '../../../../domain/content/backup-target.ts'
import type { Deps } from '../../../kernel/deps.ts'
import { readFact } from '../../../kernel/installation-facts.ts'
import { describeSealed, readSealed } from '../../../kernel/sealed-settings.ts'
import { readSection } from '../../../site/settings.ts'
import { elsewhereState, wantedKey } from './state.ts'
import { publicHalf } from './target.ts'
import type { BackupsView } from './views.ts'

/** The backups elsewhere, without any secret. */
export function getBackups(deps: Deps): BackupsView {
  const { body, version } = readSection(deps.db, backupSection)
  const { failed, made, sheet, test } = elsewhereState(deps.db)
  const sshKey = body.kind === 'sftp' ? readSealed(deps, deps.db, 'backup.sshKey') : undefined
  return {
    version,
    body,
    isDemo: deps.config.mode !== 'production',
    hasRestic: hasRestic(),
    secrets: { secretKey: describeSealed(deps, 'backup.secret', 'here') },
    sshPublicKey: sshKey === undefined ? null : publicHalf(sshKey),
    isQueued: body.kind !== 'none' && (readFact(deps.db, wantedKey) ?? '') !== '',
    made: made ? { at: made.at, files: made.files } : null,
    failed: failed ? { at: failed.at, reason: failed.reason } : null,
    test: test ? { at: test.at, seconds: test.seconds, isWhole: test.isWhole, fault: test.fault } : null,
    sheet: sheet
      ? { madeAt: sheet.at, confirmedAt: sheet.confirmedAt, isWaiting: sheet.groups !== null }
      : null,
  }
}

/** Whether restic is on the PATH. */
function hasRestic(): boolean {
  return (process.env.PATH ?? '').split(':').some(folder => {
    try {
      accessSync(join(folder, 'restic'), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
