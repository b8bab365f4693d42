import type { Tx } from '../../../db/open.ts'
import { ConfigError } from './config.ts'
import type { Deps } from './deps.ts'
import { addSetting, readSetting } from './settings.ts'

const key = 'demo'

/** Marks the database as demo data: its administrator has a publicly known password. */
export function markAsDemo(tx: Tx, at: string): void {
  addSetting(tx, key, at)
}

export function isMarkedAsDemo(db: Pick<Deps['db'], 'select'>): boolean {
  return readSetting(db, key) !== undefined
}

/** @throws ConfigError when production is started on a demo database */
export function assertNotDemoData({ config, db }: Pick<Deps, 'config' | 'db'>): void {
  if (config.mode !== 'production' || !isMarkedAsDemo(db)) return
  throw new ConfigError(
    `The site was not started: ${config.databaseFile} holds the data of the demo. Set DATABASE_FILE and UPLOADS_DIR to a new place for the real site.`,
  )
}
