import { z } from 'zod'
import type { Db, Tx } from '../../../../db/open.ts'
import { type InstallStep, installSteps } from '../../../domain/content/install.ts'
import { adminExists } from '../../auth/sessions/users.ts'
import { cachedUntilWrite } from '../../kernel/cached-until-write.ts'
import type { Deps } from '../../kernel/deps.ts'
import { addFact, readFact, writeFact } from '../../kernel/installation-facts.ts'

const leftKey = 'install'
const stored = z.array(z.enum(installSteps)).catch([])

/** The steps that the owner has left with 'Next' or 'Later'. */
export const readLeft = (db: Db | Tx): InstallStep[] =>
  stored.parse(JSON.parse(readFact(db, leftKey) ?? '[]'))

export function writeLeft(tx: Tx, left: InstallStep[]): void {
  writeFact(tx, leftKey, JSON.stringify(left))
}

/**
 * How far a site is that is installed in the browser: without an administrator it is being set up (INST-14), and after
 * the last step, as on every other site, there is no /install.
 */
export function installPhase(deps: Pick<Deps, 'config' | 'dataVersion' | 'db' | 'isWriting'>) {
  if (!deps.config.install) return 'over'
  return cachedUntilWrite(deps, 'install phase', () => {
    if (!adminExists(deps.db)) return 'account'
    return readLeft(deps.db).includes('done') ? 'over' : 'steps'
  })
}

/**
 * Remembers that a site is installed in the browser.
 * @throws ConfigError for a site with an administrator whose environment has lost what it was installed with
 */
export async function beginInstall({ config, db, write }: Deps): Promise<void> {
  if (!config.install || readFact(db, leftKey) !== undefined) return
  if (adminExists(db)) throw config.install.refusal
  await write(tx => addFact(tx, leftKey, '[]'))
}
