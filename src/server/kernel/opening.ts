import type { Db, Tx } from '../../../db/open.ts'
import { AppError } from '../../domain/common/errors.ts'
import type { Config } from './config.ts'
import { readFact, writeFact } from './installation-facts.ts'

/** Whether visitors see the site: not before the owner opens it, and not while it is closed (OPEN-01, OPEN-04). */
export const openings = ['never', 'open', 'closed'] as const
export type Opening = (typeof openings)[number]

const key = 'opening'

/** The demo is always open. */
export function readOpening({ mode }: Pick<Config, 'mode'>, db: Db | Tx): Opening {
  if (mode === 'demo') return 'open'
  return openings.find(opening => opening === readFact(db, key)) ?? 'never'
}

/** When the owner opened the site; a site that was in use before sites were opened has none. */
export const openedAtKey = 'opened-at'

/** Whether a production site was installed by this version or a later one, without the example's facts (OPEN-05). */
export const wasNew = (config: Pick<Config, 'mode'>, db: Db | Tx): boolean =>
  config.mode === 'production' &&
  (readOpening(config, db) === 'never' || readFact(db, openedAtKey) !== undefined)

export const writeOpening = (tx: Tx, opening: 'open' | 'closed'): void => writeFact(tx, key, opening)

/** @throws AppError conflict in the demo */
export function requireOwnSite({ config }: { config: Pick<Config, 'mode'> }): void {
  if (config.mode === 'demo') throw new AppError('conflict', 'The demo is always open.')
}
