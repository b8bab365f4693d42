import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Admin, System } from '../../../../domain/accounts/access.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { phraseGroups, readGroup, recoveryPhrase } from '../../../../domain/common/recovery-phrase.ts'
import { backupMessages } from '../../../../domain/content/backup-target.ts'
import { mailConnectionChange } from '../../../auth/accounts/report-change.ts'
import { requireStepUp } from '../../../auth/factors/step-up.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { writeFact } from '../../../kernel/installation-facts.ts'
import { readRestored } from '../../../kernel/restored.ts'
import { getBackups } from './queries.ts'
import { locationOf, type Repository, ResticError, removeStaleLocks, resticOutput } from './restic.ts'
import { elsewhereState, type SheetFact, sheetKey } from './state.ts'
import { withRepository } from './target.ts'
import type { BackupsView, SheetView } from './views.ts'

/** All steps of making or confirming a sheet together. */
const sheetMs = 60_000

/**
 * Makes a recovery sheet, for the owner or at the console: a new phrase that opens the repository, told once and stored nowhere. The phrase before it
 * opens it until two groups of the new one were typed back (INST-21).
 * @throws AppError forbidden without a step-up; conflict without a target; provider_failed with restic's words
 */
export async function makeSheet(deps: Deps, actor: Admin | System): Promise<SheetView> {
  if (actor.role === 'admin') requireStepUp(deps, deps.db, actor)
  return withRepository(deps, repository => makeSheetAt(repository, deps, actor), sheetMs)
}

async function makeSheetAt(repository: Repository, deps: Deps, actor: Admin | System): Promise<SheetView> {
  const location = locationOf(repository.target)
  const { sheet: before } = elsewhereState(deps.db)
  const phrase = recoveryPhrase(randomBytes(28))
  const groups = phrase.split('-')
  const first = randomInt(phraseGroups)
  const second = (first + 1 + randomInt(phraseGroups - 1)) % phraseGroups
  const asked = [first, second].toSorted((a, b) => a - b)
  await removeStaleLocks(repository, deps.clock.now())
  const keyId = await addKey(repository, phrase)
  // Nobody is known to have an unconfirmed sheet, unless it was confirmed after the backup that brought this site back.
  const isKept = (readRestored(deps.db)?.at ?? '') > (before?.at ?? '')
  if (before?.groups && !isKept) await removeKeys(repository, id => id === before.keyId)
  await deps.write(tx => {
    if (actor.role === 'admin') requireStepUp(deps, tx, actor)
    const sheet: SheetFact = {
      at: nowIso(deps),
      location,
      keyId,
      formerKeyId: (isKept ? before?.keyId : confirmedKey(before)) ?? null,
      groups: asked.map(i => macOf(deps, keyId, groups[i] ?? '')),
      confirmedAt: before?.confirmedAt ?? null,
    }
    writeFact(tx, sheetKey, JSON.stringify(sheet))
    recordEvent(tx, nowIso(deps), actor, 'setup.recovery_sheet', 'backup', {})
    mailConnectionChange(deps, tx, actor, 'The recovery sheet of the backups')
  })
  const { kind, user } = repository.target
  return {
    phrase,
    target: location,
    user,
    secretKey: kind === 's3' ? (repository.secretKey ?? '') : null,
    command: `${restoreCommand(deps)} ${forShell(location)}${kind === 's3' ? ` --user ${forShell(user)}` : ''}`,
    asked: asked.map(i => i + 1),
  }
}

const forShell = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** The key of the sheet that somebody is known to have. */
const confirmedKey = (sheet: SheetFact | undefined) => (sheet?.groups ? sheet.formerKeyId : sheet?.keyId)

/**
 * Ends every other phrase with two groups of the new one.
 * @throws AppError bad_request for wrong groups; conflict if no sheet is waiting; provider_failed
 */
export function confirmSheet(
  deps: Deps,
  actor: Admin | System,
  typed: readonly string[],
): Promise<BackupsView> {
  return withRepository(deps, repository => confirmSheetAt(repository, deps, actor, typed), sheetMs)
}

async function confirmSheetAt(
  repository: Repository,
  deps: Deps,
  actor: Admin | System,
  typed: readonly string[],
): Promise<BackupsView> {
  const { sheet } = elsewhereState(deps.db)
  if (!sheet?.groups) throw new AppError('conflict', backupMessages.sheetOver)
  const isRight = sheet.groups.every((mac, i) =>
    timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(deps, sheet.keyId, readGroup(typed[i] ?? '')))),
  )
  if (!isRight)
    throw new AppError('bad_request', backupMessages.wrongGroups, {
      fields: { groups: backupMessages.wrongGroups },
    })
  if (!(await keysOf(repository)).some(({ id }) => id === sheet.keyId))
    throw new AppError('conflict', backupMessages.sheetOver)
  await removeStaleLocks(repository, deps.clock.now())
  await removeKeys(repository, id => id !== sheet.keyId)
  await deps.write(tx => {
    const at = nowIso(deps)
    const confirmed: SheetFact = { ...sheet, groups: null, formerKeyId: null, confirmedAt: at }
    writeFact(tx, sheetKey, JSON.stringify(confirmed))
    recordEvent(tx, at, actor, 'setup.recovery_sheet_confirmed', 'backup', {})
  })
  return getBackups(deps)
}

/** Takes back that a sheet is confirmed if its key is no longer at the target. */
export async function checkSheet(deps: Deps, repository: Repository): Promise<void> {
  const { sheet } = elsewhereState(deps.db)
  const confirmed = confirmedKey(sheet)
  if (!sheet?.confirmedAt || (await keysOf(repository)).some(({ id }) => id === confirmed)) return
  const lost: SheetFact = { ...sheet, formerKeyId: null, confirmedAt: null }
  await deps.write(tx => writeFact(tx, sheetKey, JSON.stringify(lost)))
}

/** What is typed on a new machine: a site that `install.sh` made is made again by it. */
export const restoreCommand = ({ config }: Pick<Deps, 'config'>): string =>
  config.machineFile === undefined
    ? 'npm run cli -- restore'
    : `sudo sh install.sh ${new URL(config.origin).host} --restore`

const keys = z.array(z.object({ id: z.string(), current: z.boolean() }))
/** The passwords of a repository. Some versions of restic shorten an id, so all are. */
const keysOf = async (repository: Repository) =>
  keys
    .parse(JSON.parse(await resticOutput(repository, ['key', 'list', '--json', '--no-lock', '-q'])))
    .map(({ current, id }) => ({ current, id: id.slice(0, 8) }))

/** Adds a password to the repository and returns restic's id of it. */
async function addKey(repository: Repository, phrase: string): Promise<string> {
  const before = new Set((await keysOf(repository)).map(({ id }) => id))
  await resticOutput(repository, ['key', 'add', '-q'], { newPassword: phrase })
  const [added, ...others] = (await keysOf(repository)).filter(({ id }) => !before.has(id))
  if (!added) throw new ResticError('The phrase was not stored there.')
  if (others.length > 0) throw new ResticError('Somebody else stored a phrase there. Please try again.')
  return added.id
}

/** Removes passwords, but never the one of the site. */
async function removeKeys(repository: Repository, which: (id: string) => boolean): Promise<void> {
  for (const { current, id } of await keysOf(repository))
    if (!current && which(id)) await resticOutput(repository, ['key', 'remove', id, '-q'])
}

/** The groups themselves are stored nowhere. */
function macOf({ key }: Pick<Deps, 'key'>, keyId: string, group: string): string {
  if (key.state !== 'ready') throw new AppError('unavailable', 'The site’s key is damaged.')
  return createHmac('sha256', key.key.bytes)
    .update(`group of the recovery sheet ${keyId} ${group}`)
    .digest('hex')
}
