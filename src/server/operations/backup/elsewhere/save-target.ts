import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import type { Admin } from '../../../../domain/accounts/access.ts'
import { AppError, fieldError } from '../../../../domain/common/errors.ts'
import { type backupChange, backupMessages, backupSection } from '../../../../domain/content/backup-target.ts'
import { mailConnectionChange } from '../../../auth/accounts/report-change.ts'
import { requireStepUp } from '../../../auth/factors/step-up.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { writeFact } from '../../../kernel/installation-facts.ts'
import { readSealed, saveSealed } from '../../../kernel/sealed-settings.ts'
import { readSection, saveSectionIn } from '../../../site/settings.ts'
import { getBackups } from './queries.ts'
import {
  locationOf,
  type Repository,
  ResticError,
  removeStaleLocks,
  repositoryState,
  restic,
  resticOutput,
  snapshotIdIn,
} from './restic.ts'
import { wantedKey } from './state.ts'
import {
  isInOwnFolder,
  isOwnMachine,
  newRepositoryPassword,
  newSshKey,
  readTarget,
  savedRepository,
  withRepository,
} from './target.ts'
import type { BackupsView } from './views.ts'

/** All steps of a try together (INST-20); restic alone would try for a quarter of an hour. */
const tryMs = 60_000

/**
 * Saves where backups are copied. A secret that is not sent is kept, but never for another address or user.
 * @throws AppError forbidden without a step-up; bad_request for this machine itself, and without a secret that is needed;
 * conflict for another version, and in the demo; unavailable with a damaged key
 */
export async function saveTarget(
  deps: Deps,
  actor: Admin,
  { version, body, secrets }: z.output<typeof backupChange>,
): Promise<BackupsView> {
  requireStepUp(deps, deps.db, actor)
  requireProduction(deps)
  if (await isOwnMachine(deps, body)) throw fieldError('body.address', backupMessages.local)
  if (isInOwnFolder(deps, body)) throw fieldError('body.address', backupMessages.own)
  await deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const { body: before } = readSection(tx, backupSection)
    saveSectionIn(deps, tx, actor, backupSection, { version, body })
    const isSame = (['kind', 'address', 'user'] as const).every(field => body[field] === before[field])
    if (body.kind !== 's3') saveSealed(deps, tx, actor, 'backup.secret', '')
    else if (secrets.secretKey) saveSealed(deps, tx, actor, 'backup.secret', secrets.secretKey)
    else if (!isSame || readSealed(deps, tx, 'backup.secret') === undefined)
      throw fieldError('secrets.secretKey', backupMessages.secretNeeded)
    // One password for all places: whoever comes back to a former one finds it open.
    if (readSealed(deps, tx, 'backup.key') === undefined)
      saveSealed(deps, tx, actor, 'backup.key', newRepositoryPassword())
    if (body.kind === 'sftp' && readSealed(deps, tx, 'backup.sshKey') === undefined)
      saveSealed(deps, tx, actor, 'backup.sshKey', newSshKey().privateKey)
    mailConnectionChange(deps, tx, actor, 'Backups elsewhere')
  })
  return getBackups(deps)
}

/**
 * Opens the repository at the saved target or makes it, then writes, reads and removes a file there (INST-20). A backup
 * follows within minutes.
 * @throws AppError conflict without a target, and if others' backups are there; provider_failed with restic's words;
 * too_many
 */
export async function tryTarget(deps: Deps, actor: Admin, timeoutMs = tryMs): Promise<BackupsView> {
  requireProduction(deps)
  const target = readTarget(deps.db)
  if (!target) throw new AppError('conflict', backupMessages.noTarget)
  await deps.limits.consume('sampleMailByUser', actor.userId)
  if (await isOwnMachine(deps, target)) throw new AppError('conflict', backupMessages.local)
  await withRepository(
    deps,
    async repository => {
      await useRepository(repository, deps.clock.now())
      await deps.write(tx => {
        writeFact(tx, wantedKey, locationOf(repository.target))
        const { kind } = repository.target
        recordEvent(tx, nowIso(deps), actor, 'setup.backup_tried', 'backup', { kind })
      })
    },
    timeoutMs,
  )
  return getBackups(deps)
}

async function useRepository(repository: Repository, now: Date): Promise<void> {
  const state = await repositoryState(repository)
  if (state === 'locked') throw new AppError('conflict', backupMessages.others)
  if (state === 'missing') await resticOutput(repository, ['init', '-q'])
  await removeStaleLocks(repository, now)
  const words = randomBytes(16).toString('hex')
  const folder = join(repository.work, 'try')
  await mkdir(folder, { mode: 0o700 })
  await writeFile(join(folder, 'try'), words, { mode: 0o600 })
  const made = await resticOutput(repository, ['backup', '.', '-q', '--json', '--tag', 'try'], {
    cwd: folder,
  })
  // Not the latest one: that may be of a time when the clock was ahead.
  const id = snapshotIdIn(made) ?? ''
  const read = await resticOutput(repository, ['dump', id, '/try', '-q'])
  if (read !== words) throw new ResticError('What was written there could not be read again.')
  // A target whose key may only add refuses this, which is fine.
  await restic(repository, ['forget', id, '-q']).catch(() => {})
}

/** Has a backup made within minutes. @throws AppError conflict without a target */
export async function wantBackup(deps: Deps, actor: Admin): Promise<void> {
  await deps.write(tx => {
    const repository = savedRepository({ ...deps, db: tx })
    if (!repository) throw new AppError('conflict', backupMessages.noTarget)
    writeFact(tx, wantedKey, locationOf(repository.target))
    recordEvent(tx, nowIso(deps), actor, 'setup.backup_wanted', 'backup', {})
  })
}

function requireProduction({ config }: Deps): void {
  if (config.mode !== 'production') throw new AppError('conflict', 'The demo does not change this.')
}
